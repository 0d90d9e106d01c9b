# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# Processes that a command starts, and their end.

STOP_SECONDS=15

# Starts a command in the background, in a process group of its own: Ctrl-C reaches this script
# alone, which then ends the service before the Redis it writes to.
launch() {
  set -m
  "$@" &
  set +m
}

# Whether process $1 lives and its command names $2; numbers are reused, so the name counts.
is_alive() {
  [ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 1
  local command
  if [ -r "/proc/$1/cmdline" ]; then
    command=$(tr '\0' ' ' <"/proc/$1/cmdline")
  else
    command=$(ps -p "$1" -o command=)
  fi
  case $command in *"$2"*) return 0 ;; *) return 1 ;; esac
}

# Asks process $1 to end, waits for it, and ends it by force when it takes too long.
stop_process() {
  local deadline=$((SECONDS + STOP_SECONDS))
  kill "$1" 2>/dev/null || return 0
  while kill -0 "$1" 2>/dev/null; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      kill -9 "$1" 2>/dev/null || true
      break
    fi
    sleep 0.1
  done
  wait "$1" 2>/dev/null || true
}

clean_up_at_end() {
  trap clean_up EXIT
  trap 'say; say "stopping"; exit 130' INT
  trap 'exit 143' TERM HUP
}

# Ends what this run started and nothing else: first the service, then its Redis.
clean_up() {
  trap '' INT TERM HUP
  if [ -n "$BUILD_PID" ]; then stop_process "$BUILD_PID"; fi
  if [ -n "$SERVICE_PID" ]; then stop_process "$SERVICE_PID"; fi
  remove_container
  if [ -n "$REDIS_PID" ]; then stop_process "$REDIS_PID"; fi
  if [ -n "$APP" ]; then rm -rf "$APP"; fi
  if [ -n "$LOCKED" ]; then rm -rf "$LOCK"; fi
}
