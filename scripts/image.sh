# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# ./tidegate image: container images, and the tests of the HTTP API against running containers.

ENGINE=""
ENGINE_FLAGS=()
CONTAINER=""

# docker or podman, whichever there is.
find_engine() {
  [ -z "$ENGINE" ] || {
    command -v "$ENGINE" >/dev/null || fail "$ENGINE is not on PATH"
    return
  }
  for ENGINE in podman docker; do
    ! command -v "$ENGINE" >/dev/null || ! "$ENGINE" info >/dev/null 2>&1 || return 0
  done
  fail "no container engine answers: neither podman nor docker.
Install one (for example: sudo apt-get install podman), or name it: --engine docker"
}

# Builds image tidegate:$1 on base $2, the Dockerfile's own when that is empty; the rest are flags.
build_image() {
  local kind=$1 base=$2 file=Dockerfile.jvm
  shift 2
  if [ "$kind" = native ]; then
    file=Dockerfile.native-micro
    [ -x "$NATIVE" ] || fail "there is no native executable; ./tidegate native builds one"
    [ -z "$(newer_than "$NATIVE" pom.xml src/main/java src/main/lua src/main/resources)" ] ||
      fail "the native executable is older than its sources; ./tidegate native builds a new one"
  else
    build_if_stale
  fi
  [ -z "$base" ] || set -- --build-arg "BASE=$base" "$@"
  (cd "$ROOT" && "$ENGINE" build "$@" -f "src/main/docker/$file" -t "localhost/tidegate:$kind" .) ||
    fail "the image was not built"
  say "localhost/tidegate:$kind," \
    "$("$ENGINE" image inspect --format '{{.Size}}' "localhost/tidegate:$kind" |
      awk '{ printf "%.0f MiB", $1 / 1048576 }')"
}

# Runs the tests against image tidegate:$1 with at most memory $2; the rest are flags to run it with.
test_image() {
  local kind=$1 memory=$2 port=$((20000 + RANDOM % 30000)) folder=$STATE/image-test
  shift 2
  ! port_is_taken "$port" || fail "port $port, chosen by chance, is taken; try again"
  DATA=$folder/redis
  LOCK=$DATA.lock
  rm -rf "$folder"
  mkdir -p "$folder"
  lock_data
  start_redis
  (cd "$ROOT" && "$JDK/bin/java" -cp "target/test-classes:$(cat "$TEST_CLASSPATH")" \
    dev.tidegate.dev.TestCredentials "$folder/credentials") >"$folder/container.env"
  cat >>"$folder/container.env" <<SETTINGS
QUARKUS_PROFILE=test
QUARKUS_HTTP_HOST=$HOST
QUARKUS_HTTP_PORT=$port
QUARKUS_REDIS_HOSTS=$QUARKUS_REDIS_HOSTS
SETTINGS
  CONTAINER=tidegate-test-$$
  say "running localhost/tidegate:$kind as user 1001 without rights, read-only, in $memory"
  "$ENGINE" ${ENGINE_FLAGS[@]+"${ENGINE_FLAGS[@]}"} run --detach --name "$CONTAINER" --network host --read-only \
    --user 1001 --cap-drop all --memory "$memory" --env-file "$folder/container.env" \
    --volume "$folder/credentials:/credentials:ro" "$@" "localhost/tidegate:$kind" >/dev/null ||
    fail "the container did not start"
  await_container "$port"
  test_packaged -Dit.test='PackagedIT*' \
    -Dquarkus.http.test-host="$HOST" -Dquarkus.http.test-port="$port" \
    -Dtests.redis.url="$QUARKUS_REDIS_HOSTS" -Dtests.credentials="$folder/credentials"
  show_memory
  stop_container
  remove_container
  stop_process "$REDIS_PID"
  rm -rf "$LOCK"
  CONTAINER="" REDIS_PID="" LOCKED=""
  say "all passed"
}

await_container() {
  local deadline=$((SECONDS + SERVICE_START_SECONDS)) running
  until is_ready "$1"; do
    running=$("$ENGINE" inspect --format '{{.State.Running}}' "$CONTAINER" 2>/dev/null || true)
    if [ "$running" != true ]; then
      "$ENGINE" logs "$CONTAINER" 2>&1 | tail -n 20 >&2
      fail "the container ended before it was ready"
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      "$ENGINE" logs "$CONTAINER" 2>&1 | tail -n 20 >&2
      fail "the container was not ready after $SERVICE_START_SECONDS s"
    fi
    sleep 0.2
  done
}

# How much memory the process in the container has taken.
show_memory() {
  local pid
  pid=$("$ENGINE" inspect --format '{{.State.Pid}}' "$CONTAINER")
  say "the process in the container has $(awk '/VmRSS/ { printf "%.0f MiB", $2 / 1024 }' \
    "/proc/$pid/status") resident, at most $(awk '/VmHWM/ { printf "%.0f MiB", $2 / 1024 }' \
    "/proc/$pid/status") so far"
}

# Asks the container to end, as Kubernetes does, and fails where that needs force.
stop_container() {
  local started=$SECONDS status
  "$ENGINE" ${ENGINE_FLAGS[@]+"${ENGINE_FLAGS[@]}"} stop --time "$STOP_SECONDS" "$CONTAINER" >/dev/null
  status=$("$ENGINE" inspect --format '{{.State.ExitCode}}' "$CONTAINER")
  say "asked to end, it did in $((SECONDS - started)) s with status $status"
  [ "$status" -eq 143 ] || fail "it should have ended with status 143: by SIGTERM, when it was done"
}

remove_container() {
  [ -z "$CONTAINER" ] || "$ENGINE" ${ENGINE_FLAGS[@]+"${ENGINE_FLAGS[@]}"} rm --force "$CONTAINER" >/dev/null 2>&1 || true
}

image() {
  local kinds=() base="" memory="" test=no build_flags=() run_flags=() kind limit
  while [ $# -gt 0 ]; do
    case $1 in
      test) test=yes ;;
      jvm | native) kinds+=("$1") ;;
      --base | --engine | --memory | --build-flag | --run-flag | --engine-flag)
        [ $# -ge 2 ] || misuse "$1 needs a value"
        case $1 in
          --base) base=$2 ;;
          --engine) ENGINE=$2 ;;
          --memory) memory=$2 ;;
          --build-flag) build_flags+=("$2") ;;
          --run-flag) run_flags+=("$2") ;;
          --engine-flag) ENGINE_FLAGS+=("$2") ;;
        esac
        shift
        ;;
      *) misuse "image does not know $1" ;;
    esac
    shift
  done
  [ "${#kinds[@]}" -gt 0 ] || kinds=(jvm)
  clean_up_at_end
  find_engine
  find_jdk
  for kind in "${kinds[@]}"; do
    build_image "$kind" "$base" ${build_flags[@]+"${build_flags[@]}"}
    if [ "$test" = yes ]; then
      find_maven
      limit=128m
      [ "$kind" = native ] || limit=320m
      test_image "$kind" "${memory:-$limit}" ${run_flags[@]+"${run_flags[@]}"}
    fi
  done
}
