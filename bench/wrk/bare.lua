-- Calls that do nothing but run the script of a reservation.
wrk.method = 'POST'
