# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# ./tidegate test: every check, and none of them skipped.

# The sums of tests, failures, errors and skipped tests over all reports, from the test cases: the
# totals of a report leave out nested classes that it inherits.
count_tests() {
  find "$ROOT/target/surefire-reports" "$ROOT/target/failsafe-reports" -name 'TEST-*.xml' \
    -exec cat {} + 2>/dev/null | awk '
      /^ *<testcase / { tests++ }
      /^ *<failure[ >]/ { failures++ }
      /^ *<error[ >]/ { errors++ }
      /^ *<skipped[ \/>]/ { skipped++ }
      END { print tests + 0, failures + 0, errors + 0, skipped + 0 }'
}

run_tests() {
  local redis="" started=$SECONDS status=0 tests failures errors skipped
  case ${1:-} in
    --redis)
      [ $# -ge 2 ] || misuse "--redis needs a URL, such as redis://$HOST:6379"
      redis=$2
      shift 2
      ;;
    --redis=*)
      redis=${1#--redis=}
      shift
      ;;
    -h | --help)
      show_help
      exit 0
      ;;
  esac
  case $redis in
    "" | redis://?* | rediss://?*) ;;
    *) misuse "not a Redis URL: $redis" ;;
  esac
  find_jdk
  find_maven
  need curl curl "The tests run the examples of docs/clients.md with it (for example: sudo apt-get install curl)."
  find_redis
  rm -rf "$ROOT/target/surefire-reports" "$ROOT/target/failsafe-reports"
  [ -z "$redis" ] || set -- "-Dtests.redis.url=$redis" "$@"
  (cd "$ROOT" && "$MVN" -B -ntp verify "$@") || status=$?

  read -r tests failures errors skipped <<<"$(count_tests)"
  say
  say "$tests tests, $failures failed, $errors broken, $skipped skipped," \
    "$((SECONDS - started)) s, on JDK $(jdk_version "$JDK")"
  [ "$status" -eq 0 ] || fail "the build failed"
  [ "$((failures + errors))" -eq 0 ] || fail "a test failed"
  [ "$tests" -gt 0 ] || fail "no test ran"
  [ "$skipped" -eq 0 ] || fail "a test was skipped"
  say "all passed"
}
