import { OFCTL } from "./ofctl";

/**
 * Shell function `image COOKIE BRIDGE`: prints the fragment mode of a bridge and its flows of a cookie, all with an empty COOKIE. Prints
 * nothing for a missing bridge, and fails if the bridge does not answer.
 */
export const IMAGE = String.raw`
ofctl() { ${OFCTL.join(" ")} --timeout=20 "$@"; }
image() {
  ovs-vsctl --timeout=5 br-exists "$2" </dev/null >/dev/null 2>&1
  case $? in 0) ;; 2) return 0 ;; *) return 1 ;; esac
  mode=$(ofctl get-frags "$2" </dev/null) && flows=$(ofctl --names --no-stats dump-flows "$2" "${"$"}{1:+cookie=$1/-1}" </dev/null) || return 1
  printf 'frags=%s\n' "$mode"
  printf '%s\n' "$flows" | sed -n '/actions=/s/^ *//p'
}
`;
