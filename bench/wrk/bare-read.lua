-- The same as bare.lua, but that the load reads the head of each answer, as it must for pairs: that costs it time on the
-- processors that it shares with the service.
wrk.method = 'POST'

function response(status, headers)
  return headers['Location'] or headers['location']
end
