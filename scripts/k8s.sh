# shellcheck shell=bash disable=SC2034,SC2154,SC2164
# ./tidegate k8s-check: every kustomization below k8s/, built as kubectl builds it.

MIN_KUBECTL=1.21

show_k8s_help() {
  cat <<'HELP'
  ./tidegate k8s-check
      Builds every kustomization below k8s/ with "kubectl kustomize" and prints how many objects
      each makes; fails where one does not build. Nothing is applied and no cluster is asked.
      Needs a kubectl of version 1.21 or newer.
HELP
}

find_kubectl() {
  command -v kubectl >/dev/null || fail "kubectl is missing: it is not on PATH.
Install version $MIN_KUBECTL or newer (https://kubernetes.io/docs/tasks/tools)."
  local version
  version=$(kubectl version --client -o json 2>/dev/null |
    sed -n 's/.*"gitVersion": *"v\([0-9.]*\).*/\1/p' | head -n 1)
  at_least "${version:-0}" "$MIN_KUBECTL" ||
    fail "$(command -v kubectl) is version ${version:-unknown}; kubectl $MIN_KUBECTL or newer is needed"
  say "kubectl $version"
}

k8s_check() {
  case ${1:-} in
    "") ;;
    -h | --help)
      show_k8s_help
      exit 0
      ;;
    *) misuse "k8s-check does not know $1" ;;
  esac
  find_kubectl
  local file folder objects made faults total=0 failed=0
  made=$(mktemp)
  faults=$(mktemp)
  for file in "$ROOT"/k8s/*/kustomization.yaml; do
    folder=$(dirname "$file")
    objects=0
    if kubectl kustomize "$folder" >"$made" 2>"$faults"; then
      objects=$(grep -c '^kind:' "$made" || true)
    fi
    total=$((total + 1))
    if [ "$objects" -gt 0 ]; then
      printf '%-16s %3d objects\n' "k8s/${folder##*/}" "$objects"
    else
      failed=$((failed + 1))
      printf '%-16s failed\n' "k8s/${folder##*/}"
      sed 's/^/  /' "$faults" >&2
    fi
  done
  rm -f "$made" "$faults"
  [ "$total" -gt 0 ] || fail "there is no kustomization below k8s/"
  [ "$failed" -eq 0 ] || fail "$failed of $total kustomizations do not build"
  say "$total kustomizations build"
}
