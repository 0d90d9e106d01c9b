# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# ./tidegate run: the service on a real Redis, with the demo plans.

REDIS_START_SECONDS=30
SERVICE_START_SECONDS=60

DATA=$STATE/redis
LOCK=$DATA.lock
LOCKED=""
REDIS_PID=""
SERVICE_PID=""
APP=""

# Whether something listens on loopback port $1.
port_is_taken() { (: >"/dev/tcp/$HOST/$1") 2>/dev/null; }

# Only one run may use the data folder: a second Redis would write into the first one's files.
lock_data() {
  mkdir -p "$STATE"
  if ! mkdir "$LOCK" 2>/dev/null; then
    local run redis
    run=$(cat "$LOCK/run.pid" 2>/dev/null || true)
    redis=$(cat "$LOCK/redis.pid" 2>/dev/null || true)
    if is_alive "$run" tidegate; then
      fail "another ./tidegate run (process $run) uses the data in $DATA.
End it with Ctrl-C or: kill $run. Or set QUARKUS_REDIS_HOSTS to run this one on a Redis of its own."
    fi
    if is_alive "$redis" redis-server; then
      fail "a Redis that an earlier run left behind (process $redis) uses the data in $DATA.
End it with: kill $redis"
    fi
  fi
  LOCKED=yes
  rm -f "$LOCK/redis.pid"
  echo $$ >"$LOCK/run.pid"
}

start_redis() {
  local binary port attempt log=$DATA.log
  binary=$("$JDK/bin/java" -cp "$ROOT/target/test-classes:$(cat "$TEST_CLASSPATH")" \
    dev.tidegate.dev.RedisBinary "$STATE/bin") || fail "there is no embedded Redis for this machine;
set QUARKUS_REDIS_HOSTS to use a server of your own, such as redis://$HOST:6379"
  mkdir -p "$DATA"
  for attempt in 1 2 3; do
    port=$((20000 + RANDOM % 30000))
    ! port_is_taken "$port" || continue
    launch "$binary" --bind "$HOST" --port "$port" --dir "$DATA" --save "" \
      --appendonly yes --appendfsync always >"$log" 2>&1 </dev/null
    REDIS_PID=$!
    echo "$REDIS_PID" >"$LOCK/redis.pid"
    if await_redis "$log"; then
      export QUARKUS_REDIS_HOSTS=redis://$HOST:$port
      say "Redis $(sed -n 's/.*Redis version=\([0-9.]*\).*/\1/p' "$log") on port $port," \
        "its data in .tidegate/${DATA##*/}"
      return
    fi
    stop_process "$REDIS_PID"
    REDIS_PID=""
    grep -q 'Address already in use' "$log" || break
  done
  tail -n 15 "$log" >&2
  fail "Redis did not start (attempt $attempt); its log is $log"
}

await_redis() {
  local deadline=$((SECONDS + REDIS_START_SECONDS))
  while kill -0 "$REDIS_PID" 2>/dev/null && [ "$SECONDS" -lt "$deadline" ]; do
    ! grep -q 'Ready to accept connections' "$1" || return 0
    sleep 0.1
  done
  return 1
}

start_service() {
  local port=$1 test_clock=$2 log=$STATE/service-$1.log
  # A copy, so that a later build or test run does not pull the jars away under the service.
  APP=$STATE/app-$$
  cp -R "$BUILT_APP" "$APP"
  launch "$JDK/bin/java" -Dquarkus.profile=demo -Dquarkus.http.host="$HOST" \
    -Dquarkus.http.port="$port" -Dtidegate.test-clock.enabled="$test_clock" \
    -Dtidegate.plans.file="$ROOT/src/demo/plans.yaml" \
    -jar "$APP/quarkus-run.jar" >"$log" 2>&1 </dev/null
  SERVICE_PID=$!
  local deadline=$((SECONDS + SERVICE_START_SECONDS))
  until is_ready "$port"; do
    if ! kill -0 "$SERVICE_PID" 2>/dev/null; then
      tail -n 20 "$log" >&2
      fail "the service did not start; its log is $log"
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      tail -n 20 "$log" >&2
      fail "the service was not ready after $SERVICE_START_SECONDS s; its log is $log"
    fi
    sleep 0.2
  done
}

# Whether the service on port $1 says that it is ready.
is_ready() {
  local status=""
  {
    exec 3<>"/dev/tcp/$HOST/$1" &&
      printf 'GET /q/health/ready HTTP/1.0\r\nHost: %s\r\n\r\n' "$HOST" >&3 &&
      read -r -t 2 status <&3
  } 2>/dev/null || true
  exec 3>&- || true
  case $status in *" 200 "*) return 0 ;; *) return 1 ;; esac
}

greet() {
  local api=http://$HOST:$1
  cat <<GREETING

Tidegate is ready on $api   (interface: $api/q/openapi, log: .tidegate/service-$1.log)

  key             may
  demo-meter      reserve, settle, charge and read
  demo-viewer     read the quota of the subject demo
  demo-operator   read every quota
  demo-admin      all of it, and change plans and subjects

Reserve 8,000 tokens before a call, settle what it really took, read what is left:

ID=\$(curl -s $api/v1/quota/user-123/claude/reservations -H 'Authorization: Bearer demo-meter' -H 'Content-Type: application/json' -d '{"amounts":{"tokens":8000}}' | tee /dev/stderr | sed -E 's/.*"id" *: *"([^"]+)".*/\\1/')
curl -s $api/v1/quota/user-123/claude/reservations/\$ID/settle -H 'Authorization: Bearer demo-meter' -H 'Content-Type: application/json' -d '{"amounts":{"tokens":6120}}'
curl -s $api/v1/quota/user-123/claude -H 'Authorization: Bearer demo-meter'

Ctrl-C ends it.
GREETING
}

# Waits until one of the two processes ends, which only happens when something went wrong.
watch_over() {
  while kill -0 "$SERVICE_PID" 2>/dev/null; do
    if [ -n "$REDIS_PID" ] && ! kill -0 "$REDIS_PID" 2>/dev/null; then
      fail "Redis ended by itself; its log is $DATA.log"
    fi
    # In the background, so that a signal is answered at once.
    sleep 1 &
    wait $! || true
  done
  fail "the service ended by itself; its log is $STATE/service-$1.log"
}

run() {
  local port=8080 test_clock=false
  while [ $# -gt 0 ]; do
    case $1 in
      --port)
        [ $# -ge 2 ] || misuse "--port needs a number"
        port=$2
        shift
        ;;
      --port=*) port=${1#--port=} ;;
      --test-clock) test_clock=true ;;
      -h | --help)
        show_help
        exit 0
        ;;
      *) misuse "run does not know $1" ;;
    esac
    shift
  done
  case $port in '' | *[!0-9]* | ??????*) misuse "not a port: $port" ;; esac
  if [ "$port" -lt 1 ] || [ "$port" -gt 65535 ]; then misuse "not a port: $port"; fi

  clean_up_at_end

  # What was metered by a clock of its own is of no use to the real one, and the other way round.
  if [ "$test_clock" = true ]; then
    DATA=$STATE/redis-test-clock
    LOCK=$DATA.lock
  fi
  if [ -z "${QUARKUS_REDIS_HOSTS:-}" ]; then lock_data; fi
  ! port_is_taken "$port" ||
    fail "port $port is taken by another program; choose another: ./tidegate run --port N"
  find_jdk
  build_if_stale
  if [ -z "${QUARKUS_REDIS_HOSTS:-}" ]; then start_redis; fi
  start_service "$port" "$test_clock"
  greet "$port"
  watch_over "$port"
}
