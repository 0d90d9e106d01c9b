# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# ./tidegate replay, bench, faults and fuzz: what measures and what breaks.

replay() {
  local terminal=false
  [ ! -t 1 ] || terminal=true
  clean_up_at_end
  find_jdk
  build_if_stale
  exec "$JDK/bin/java" -Dtidegate.terminal="$terminal" \
    -cp "$ROOT/target/test-classes:$(cat "$TEST_CLASSPATH")" \
    dev.tidegate.bench.replay.Replay "$@"
}

bench() {
  local what=${1:-} program
  mkdir -p "$STATE"
  [ $# -eq 0 ] || shift
  case $what in
    sliding)
      [ $# -gt 0 ] || misuse "bench sliding needs a trace: a CSV file"
      program=limits.SlidingAccuracy
      ;;
    limits) program=limits.LimitCost ;;
    cost)
      program=cost.FlatCost
      set -- "${1:-1000000}"
      ;;
    rates)
      [ $# -gt 0 ] || misuse "bench rates needs a trace: a CSV file"
      program=rates.BurnRates
      ;;
    throughput)
      bench_throughput "$@"
      return
      ;;
    startup)
      bench_startup "$@"
      return
      ;;
    *) misuse "bench does not know '$what'" ;;
  esac
  clean_up_at_end
  find_jdk
  [ "$what" != cost ] || find_redis
  build_if_stale
  # shellcheck disable=SC2086 # the flags are words of their own
  "$JDK/bin/java" $QUIET_JVM -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
    -cp "$ROOT/target/test-classes:$ROOT/target/classes:$(cat "$TEST_CLASSPATH")" \
    "dev.tidegate.bench.$program" "$@"
}

# Packages the service once more with the endpoint that is measured against, and runs the loads.
bench_throughput() {
  local rounds=5 seconds=5 classes=$ROOT/target/bench/classes cp
  while [ $# -gt 0 ]; do
    case $1 in
      --rounds | --seconds)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || misuse "$1 needs a number"
        if [ "$1" = --rounds ]; then rounds=$2; else seconds=$2; fi
        shift 2
        ;;
      *) misuse "bench throughput does not know $1" ;;
    esac
  done
  clean_up_at_end
  find_jdk
  find_redis
  need wrk wrk "Install wrk (for example: sudo apt-get install wrk)."
  build_if_stale
  cp=$ROOT/target/test-classes:$ROOT/target/classes:$(cat "$TEST_CLASSPATH")
  rm -rf "$ROOT/target/bench"
  mkdir -p "$ROOT/target/bench"
  cp -R "$ROOT/target/classes" "$classes"
  find "$ROOT/bench/endpoint" -name '*.java' -print0 |
    xargs -0 "$JDK/bin/javac" -parameters -proc:none -d "$classes" -cp "$cp"
  cd "$ROOT"
  say "packaging the service with the bare endpoint"
  "$JDK/bin/java" -Djava.util.logging.manager=org.jboss.logmanager.LogManager -cp "$cp" \
    dev.tidegate.dev.ServicePackage "$classes" target/bench >"$STATE/bench.log" 2>&1 ||
    fail "the service was not packaged; see $STATE/bench.log"
  "$JDK/bin/java" -Djava.util.logging.manager=org.jboss.logmanager.LogManager -cp "$cp" \
    dev.tidegate.bench.throughput.Throughput \
    target/bench/quarkus-app/quarkus-run.jar "$rounds" "$seconds"
}

# Starts programs, each NAME=PROGRAM, in turn for $1 rounds and writes a table of it to file $2.
measure_starts() {
  # shellcheck disable=SC2086 # the flags are words of their own
  (cd "$ROOT" && "$JDK/bin/java" $QUIET_JVM \
    -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
    -cp "target/test-classes:target/classes:$(cat "$TEST_CLASSPATH")" \
    dev.tidegate.bench.startup.Startup "$@")
}

# Packages the jar once more so that a JVM can cache it, and measures starts of every form there is.
bench_startup() {
  local rounds=5 aot=target/aot forms=()
  if [ "${1:-}" = --rounds ]; then
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || misuse "--rounds needs a number"
    rounds=$2
    shift 2
  fi
  [ $# -eq 0 ] || misuse "bench startup does not know $1"
  clean_up_at_end
  find_jdk
  build_if_stale
  cd "$ROOT"
  forms+=("fast-jar=target/quarkus-app/quarkus-run.jar")
  if [ "$(jdk_version "$JDK")" -ge 25 ]; then
    say "packaging the jar for an AOT cache, and recording one"
    rm -rf "$aot"
    mkdir -p "$aot"
    "$JDK/bin/java" -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
      -Dquarkus.package.jar.type=aot-jar \
      -cp "target/test-classes:target/classes:$(cat "$TEST_CLASSPATH")" \
      dev.tidegate.dev.ServicePackage target/classes "$aot" >"$STATE/bench.log" 2>&1 ||
      fail "the service was not packaged; see $STATE/bench.log"
    measure_starts record "aot-jar=$aot/quarkus-app/quarkus-run.jar"
    forms+=("aot-jar=$aot/quarkus-app/quarkus-run.jar")
  else
    say "without an AOT cache, which needs a JDK of at least 25"
  fi
  if [ -x "$NATIVE" ]; then
    forms+=("native=$NATIVE")
  else
    say "without a native executable, which ./tidegate native builds"
  fi
  measure_starts "$rounds" bench/results/startup.md "${forms[@]}"
}

faults() {
  local rounds=1 trace=""
  while [ $# -gt 0 ]; do
    case $1 in
      --rounds)
        [ $# -ge 2 ] || misuse "--rounds needs a number"
        rounds=$2
        shift
        ;;
      --rounds=*) rounds=${1#--rounds=} ;;
      --trace)
        [ $# -ge 2 ] || misuse "--trace needs a CSV file"
        trace=$2
        shift
        ;;
      --trace=*) trace=${1#--trace=} ;;
      *) misuse "faults does not know $1" ;;
    esac
    shift
  done
  case $rounds in '' | 0* | *[!0-9]* | ?????*) misuse "not a number of rounds from 1 to 9999: $rounds" ;; esac
  [ -z "$trace" ] || [ -f "$trace" ] || misuse "there is no file $trace"
  [ -z "$trace" ] || trace=$(cd "$(dirname "$trace")" && pwd)/$(basename "$trace")
  clean_up_at_end
  find_jdk
  build_if_stale
  cd "$ROOT"
  # shellcheck disable=SC2086 # the flags are words of their own
  "$JDK/bin/java" $QUIET_JVM \
    -cp "$ROOT/target/test-classes:$ROOT/target/classes:$(cat "$TEST_CLASSPATH")" \
    dev.tidegate.bench.faults.Campaign "$rounds" ${trace:+"$trace"}
}

fuzz() {
  local requests=100000 seed=$RANDOM
  while [ $# -gt 0 ]; do
    case $1 in
      --requests | --seed)
        [[ ${2:-} =~ ^[1-9][0-9]{0,8}$ ]] || misuse "$1 needs a number"
        if [ "$1" = --requests ]; then requests=$2; else seed=$2; fi
        shift 2
        ;;
      *) misuse "fuzz does not know $1" ;;
    esac
  done
  clean_up_at_end
  find_jdk
  find_redis
  build_if_stale
  cd "$ROOT"
  # shellcheck disable=SC2086 # the flags are words of their own
  "$JDK/bin/java" $QUIET_JVM -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
    -cp "$ROOT/target/test-classes:$ROOT/target/classes:$(cat "$TEST_CLASSPATH")" \
    dev.tidegate.bench.fuzz.Fuzz "$BUILT_APP/quarkus-run.jar" "$requests" "$seed"
}
