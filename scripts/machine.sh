# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# What a command needs of this machine: a JDK, Maven, a Redis, packages; and how it says so.

MIN_JDK=21
MIN_MAVEN=3.8
MIN_REDIS=7.0

JDK=""
MVN=""
QUIET_JVM=""

say() { printf '%s\n' "$*"; }

fail() {
  printf 'tidegate: %s\n' "$*" >&2
  exit 1
}

misuse() {
  printf 'tidegate: %s\nSee ./tidegate help.\n' "$*" >&2
  exit 2
}

# The major version of the JDK in folder $1, or nothing when there is none.
jdk_version() {
  [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] || return 0
  local version=""
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
  fi
  printf '%s' "$version"
}

# The home of the java on PATH, through its links.
jdk_on_path() {
  local java
  java=$(command -v java) || return 0
  "$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

find_jdk() {
  local home version best=0
  if [ -n "${JAVA_HOME:-}" ]; then
    version=$(jdk_version "$JAVA_HOME")
    if [ "${version:-0}" -ge "$MIN_JDK" ]; then
      use_jdk "$JAVA_HOME" "$version"
      return
    fi
  fi
  for home in "$(jdk_on_path)" /usr/lib/jvm/* /opt/java/* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    version=$(jdk_version "$home")
    if [ "${version:-0}" -ge "$MIN_JDK" ] && [ "$version" -gt "$best" ]; then
      use_jdk "$home" "$version"
      best=$version
    fi
  done
  [ -n "$JDK" ] || fail "no JDK of at least $MIN_JDK found.
Looked at JAVA_HOME (${JAVA_HOME:-not set}), the java on PATH, /usr/lib/jvm and ~/.sdkman.
Install one (for example: apt-get install openjdk-21-jdk, or: sdk install java 21-tem),
or set JAVA_HOME to a JDK, not a JRE, of at least $MIN_JDK."
}

use_jdk() {
  JDK=$1
  export JAVA_HOME=$1
  # From JDK 24 on Maven's own libraries make it print warnings that mean nothing to us.
  if [ "$2" -ge 24 ]; then
    QUIET_JVM="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
  else
    QUIET_JVM=""
  fi
}

# Whether dotted version $1 is at least $2, by its first two numbers.
at_least() {
  local have_major have_minor want_major want_minor
  IFS=. read -r have_major have_minor _ <<<"$1.0"
  IFS=. read -r want_major want_minor _ <<<"$2.0"
  [ "$have_major" -gt "$want_major" ] ||
    { [ "$have_major" -eq "$want_major" ] && [ "$have_minor" -ge "$want_minor" ]; }
}

# Installs package $2 where command $1 is missing, on Debian and Ubuntu as root; elsewhere says $3.
need() {
  ! command -v "$1" >/dev/null || return 0
  if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    say "$1 is missing; installing $2 with apt-get"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2"; } \
      >/dev/null || fail "apt-get could not install $2"
  else
    fail "$1 is missing: it is not on PATH.
$3"
  fi
}

find_maven() {
  need mvn maven "\
Install Maven $MIN_MAVEN or newer (for example: sudo apt-get install maven, or: sdk install maven)."
  MVN=$(command -v mvn)
  export MAVEN_OPTS="${MAVEN_OPTS:-} $QUIET_JVM"
  local version
  version=$("$MVN" --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')
  at_least "${version:-0}" "$MIN_MAVEN" ||
    fail "$MVN is version ${version:-unknown}; Maven $MIN_MAVEN or newer is needed"
}

# The Redis of this machine, which the tests start servers, clusters and sentinels with.
find_redis() {
  local missing=no version
  command -v redis-server >/dev/null || missing=yes
  need redis-server redis-server "\
Install Redis $MIN_REDIS or newer (for example: sudo apt-get install redis-server)."
  if [ "$missing" = yes ] && command -v service >/dev/null; then
    # The package starts a server of its own, which nobody here asked for.
    service redis-server stop >/dev/null 2>&1 || true
    update-rc.d redis-server disable >/dev/null 2>&1 || true
  fi
  version=$(redis-server --version | sed -n 's/.* v=\([0-9.]*\).*/\1/p')
  at_least "${version:-0}" "$MIN_REDIS" ||
    fail "redis-server is version ${version:-unknown}; Redis $MIN_REDIS or newer is needed"
}
