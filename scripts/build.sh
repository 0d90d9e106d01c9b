# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# Building what a command runs, when it is older than its sources.

BUILT_APP=$ROOT/target/quarkus-app
NATIVE=$ROOT/target/tidegate-runner
TEST_CLASSPATH=$ROOT/target/test.classpath

BUILD_PID=""

# One of the sources $2... that is newer than $1. Folders count: a deleted file changes its folder.
newer_than() {
  local built=$1
  shift
  (cd "$ROOT" && find "$@" -newer "$built" | head -n 1)
}

# Whether a source is newer than what was built.
is_stale() {
  [ -f "$BUILT_APP/quarkus-run.jar" ] && [ -f "$TEST_CLASSPATH" ] &&
    [ -f "$ROOT/target/test-classes/dev/tidegate/dev/RedisBinary.class" ] || return 0
  [ -n "$(newer_than "$BUILT_APP/quarkus-run.jar" \
    pom.xml .mvn src/main src/test/java/dev/tidegate/dev bench/src)" ]
}

build_if_stale() {
  is_stale || return 0
  find_maven
  mkdir -p "$STATE"
  local log=$STATE/build.log started=$SECONDS status=0 pid
  # Without this file the build is stale, also when it is interrupted half-way.
  rm -f "$BUILT_APP/quarkus-run.jar"
  touch "$STATE/build.started"
  launch "$MVN" -B -f "$ROOT/pom.xml" -DskipTests package >"$log" 2>&1 </dev/null
  pid=$!
  BUILD_PID=$pid
  show_build "$pid" "$log"
  wait "$pid" || status=$?
  BUILD_PID=""
  if [ "$status" -ne 0 ]; then
    show_errors "$log"
    fail "the build failed; all of it is in $log"
  fi
  # What was edited while it built is newer than this, and is built next time.
  touch -r "$STATE/build.started" "$BUILT_APP/quarkus-run.jar"
  say "built in $((SECONDS - started)) s"
}

# The first errors in the log $1, without their stack traces, each once.
show_errors() {
  grep -E '^\[ERROR|\.java:\[|^Error|^Fatal|IllegalState' "$1" | grep -vE '^(\[ERROR\] )?[[:space:]]+(at |\.\.\. )' |
    awk '!seen[$0]++' | head -n 20 >&2 || true
}

# What Maven is doing, from its log $1.
build_step() {
  local step
  step=$(sed -n -e 's/^\[INFO\] --- \([a-z-]*\):.*:\([a-zA-Z-]*\) (.*/\1 \2/p' \
    -e 's/^\[\([0-9]*\/[0-9]*\)\] \([A-Z][a-z ]*\)\.\.\..*/native-image \1 \2/p' \
    -e 's/^Download\(ed\|ing\) from.*/libraries/p' "$1" | tail -n 1)
  case $step in
    libraries) say "fetching libraries ($(grep -c '^Downloaded' "$1") so far)" ;;
    "") say "starting Maven" ;;
    *) say "${step/#maven-/}" | sed 's/-maven-plugin//; s/-plugin//' ;;
  esac
}

# A line that moves while process $1 writes the log $2; a plain line now and then off a terminal.
show_build() {
  local pid=$1 log=$2 started=$SECONDS ticks=0 marks="|/-\\" seconds
  while kill -0 "$pid" 2>/dev/null; do
    seconds=$((SECONDS - started))
    if [ -t 1 ]; then
      printf '\r\033[K%s building, %d s: %s' \
        "${marks:ticks % 4:1}" "$seconds" "$(build_step "$log")"
    elif [ $((ticks % 20)) -eq 0 ]; then
      say "building, $seconds s: $(build_step "$log")"
    fi
    ticks=$((ticks + 1))
    sleep 0.5
  done
  [ ! -t 1 ] || printf '\r\033[K'
}
