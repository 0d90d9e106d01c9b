# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# ./tidegate native: the native executable, the tests of the HTTP API against it, its start and memory.

NATIVE_SOURCES=$ROOT/target/tidegate-native-image-source-jar
NATIVE_ROUNDS=5

# What puts a native-image together on machines that cannot download one, and where.
SHARED_BUILDER=$ROOT/../shared/native-builder/make-builder.sh
OWN_BUILDER=$STATE/native-builder

has_native_image() { [ -n "$1" ] && [ -x "$1/bin/native-image" ]; }

# The GraalVM or Mandrel that builds: of GRAALVM_HOME, else of JAVA_HOME, else on PATH.
find_native_image() {
  local on_path
  if [ -n "${GRAALVM_HOME:-}" ]; then
    has_native_image "$GRAALVM_HOME" ||
      fail "GRAALVM_HOME is $GRAALVM_HOME, but there is no bin/native-image in it"
    return
  fi
  on_path=$(command -v native-image || true)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for GRAALVM_HOME in "${JAVA_HOME:-}" "$on_path" "$OWN_BUILDER"; do
    if has_native_image "$GRAALVM_HOME"; then
      export GRAALVM_HOME
      return
    fi
  done
  [ -x "$SHARED_BUILDER" ] || fail "no native-image found.
Looked at GRAALVM_HOME (not set), JAVA_HOME (${JAVA_HOME:-not set}) and PATH.
Install GraalVM or Mandrel of JDK 21 or newer (for example: sdk install java 25-graalce) and set
GRAALVM_HOME to it; or, where docker or podman runs, build in a container that brings one:
  ./tidegate native -Dquarkus.native.container-build=true"
  make_builder
}

make_builder() {
  say "no native-image found; ../shared/native-builder puts one together in .tidegate/native-builder"
  need gcc gcc "Install a C compiler (for example: sudo apt-get install gcc libc6-dev zlib1g-dev)."
  mkdir -p "$STATE"
  "$SHARED_BUILDER" "$OWN_BUILDER" "$JDK" >"$STATE/native-builder.log" 2>&1 || {
    rm -rf "$OWN_BUILDER"
    fail "it could not; see $STATE/native-builder.log"
  }
  export GRAALVM_HOME=$OWN_BUILDER
}

# Shared libraries that some builders leave beside the executable belong beside it wherever it goes.
keep_libraries() {
  rm -rf "$NATIVE-lib"
  [ ! -d "$NATIVE_SOURCES/tidegate-runner-lib" ] ||
    cp -R "$NATIVE_SOURCES/tidegate-runner-lib" "$NATIVE-lib"
}

build_native() {
  local started=$SECONDS log=$STATE/native.log pid status=0
  mkdir -p "$STATE"
  rm -rf "$NATIVE"
  launch "$MVN" -B -ntp -f "$ROOT/pom.xml" -Pnative package "$@" >"$log" 2>&1 </dev/null
  pid=$!
  BUILD_PID=$pid
  show_build "$pid" "$log"
  wait "$pid" || status=$?
  BUILD_PID=""
  if [ "$status" -ne 0 ] || [ ! -x "$NATIVE" ]; then
    show_errors "$log"
    fail "the native executable was not built; all of it is in $log"
  fi
  keep_libraries
  say "built in $((SECONDS - started)) s, with $(native_image_version):" \
    "target/tidegate-runner, $(du -m "$NATIVE" | cut -f1) MiB"
}

native_image_version() {
  if [ -n "${GRAALVM_HOME:-}" ]; then
    "$GRAALVM_HOME/bin/native-image" --version | sed -n 's/.* \(GraalVM [^(]*\)(.*/\1/p; s/.* \(Mandrel[^(]*\)(.*/\1/p' | head -n 1
  else
    printf 'the builder of the container'
  fi
}

# Everything there is of the packaged suite, against what was packaged last.
test_packaged() {
  local status=0 tests failures errors skipped started=$SECONDS
  rm -rf "$ROOT/target/surefire-reports" "$ROOT/target/failsafe-reports"
  (cd "$ROOT" && "$MVN" -B -ntp failsafe:integration-test@packaged failsafe:verify@packaged "$@") ||
    status=$?
  read -r tests failures errors skipped <<<"$(count_tests)"
  say "$tests tests, $failures failed, $errors broken, $skipped skipped, $((SECONDS - started)) s"
  [ "$status" -eq 0 ] || fail "the tests failed"
  [ "$((failures + errors + skipped))" -eq 0 ] || fail "a test failed or was skipped"
  [ "$tests" -gt 0 ] || fail "no test ran"
}

native() {
  local in_container=no argument
  for argument in "$@"; do
    case $argument in
      -Dquarkus.native.container-build=true | -Dquarkus.native.remote-container-build=true) in_container=yes ;;
      -h | --help)
        show_help
        exit 0
        ;;
      -*) ;;
      *) misuse "native does not know $argument" ;;
    esac
  done
  clean_up_at_end
  find_jdk
  [ "$in_container" = yes ] || find_native_image
  find_maven
  find_redis
  build_native "$@"
  test_packaged -Pnative
  measure_starts "$NATIVE_ROUNDS" target/native-start.md native="$NATIVE"
  say "all passed"
}
