import { quote } from "@pulumi-ovn/provider/tools";

export interface UndoScript {
  /** Endpoint of the database, from the host. */
  readonly endpoint: string;
  readonly database: string;
  /** Table with the record of the apply. */
  readonly root: string;
  readonly id: string;
  /** Until the undo. */
  readonly seconds: number;
}

/**
 * A POSIX shell script that undoes an apply at its deadline. It reads the inverses from the database itself, and ends when the apply is
 * confirmed or undone, or an hour after the deadline. It ends a minute after its start if no apply was laid down. Needs ovsdb-client, and base64
 * of coreutils or busybox.
 */
const WATCH = String.raw`
s=$1 d=$2 r=$3 id=$4 end=$(( $(date +%s) + $5 ))
t() { timeout 20 ovsdb-client transact "$s" "$1" 2>/dev/null; }
b64() { printf %s "$1" | base64 -d; }
here='[["external_ids","includes",["map",[["pulumi-ovn:apply","'$id'"],["pulumi-ovn:apply-phase","pending"]]]]]'
guard='{"op":"wait","table":"'$r'","where":'$here',"columns":["_uuid"],"until":"!=","rows":[],"timeout":0},{"op":"comment","comment":"pulumi-ovn: undo of apply '$id'"}'
undo() {
  list=$(printf %s "$out" | grep -o '"pulumi-ovn:undo/[^"]*","[^"]*"' | sort -r | sed 's/"//g; s/^pulumi-ovn:undo.//; s/,/ /')
  skip=' '
  while :; do
    again=1
    while [ $again = 1 ]; do
      again=0 keys= kept= ops= index=
      while read -r key value; do
        [ -n "$key" ] || continue
        keys=$keys,'"pulumi-ovn:undo/'$key'"'
        label=${"$"}{value%%.*} rest=${"$"}{value#*.}
        needs=${"$"}{rest%%.*} rest=${"$"}{rest#*.}
        count=${"$"}{rest%%.*} rest=${"$"}{rest#*.}
        for n in $(printf %s "$needs" | tr , ' '); do
          case $skip in *" $n "*) case $skip in *" $key "*) ;; *) skip="$skip$key " again=1 ;; esac ;; esac
        done
        case $skip in *" $key "*) kept=$kept,$label; continue ;; esac
        ops=$ops,$(b64 "${"$"}{rest%%.*}")
        while [ "$count" -gt 0 ]; do index="$index$key " count=$((count - 1)); done
      done <<EOF
$list
EOF
    done
    note='["pulumi-ovn:apply-phase","undone"]'
    [ -z "$kept" ] || note=$note',["pulumi-ovn:apply-kept","'${"$"}{kept#,}'"]'
    done=$(t '["'$d'",'"$guard$ops"',{"op":"mutate","table":"'$r'","where":[],"mutations":[["external_ids","delete",["set",["pulumi-ovn:apply-phase"'$keys']]]]},{"op":"mutate","table":"'$r'","where":[],"mutations":[["external_ids","insert",["map",['"$note"']]]]}]')
    case $done in '') return 1 ;; *'"error"'*) ;; *) return 0 ;; esac
    before=${"$"}{done%%'{"details"'*}
    before=${"$"}{before%%'{"error"'*}
    at=$(printf %s "$before" | tr -cd '{' | wc -c)
    [ "$at" -ne 0 ] || return 0
    set -- $index
    if [ "$at" -ge 2 ] && [ $((at - 1)) -le $# ]; then
      shift $((at - 2))
      skip="$skip$1 "
    elif [ $# -gt 0 ]; then
      for key in $index; do case $key in "${"$"}{1%/*}"/*) skip="$skip$key " ;; esac; done
    else
      return 1
    fi
  done
}
seen=
while [ "$(date +%s)" -lt $((end + 3600)) ]; do
  out=$(t '["'$d'",{"op":"select","table":"'$r'","where":'$here',"columns":["external_ids"]}]')
  case $out in
  *"$id"*) seen=1; [ "$(date +%s)" -lt $end ] || ! undo || exit 0 ;;
  *'"rows":[]'*) [ -z "$seen" ] && [ "$(date +%s)" -lt $((end - $5 + 60)) ] || exit 0 ;;
  esac
  sleep 1
done`;

/** Words of a shell that fail where the script can't run. */
export const POSSIBLE = "command -v ovsdb-client >/dev/null && command -v base64 >/dev/null && command -v setsid >/dev/null";

/**
 * Starts the script in a session of its own, which outlives the connection. Prints its process id when the session exists: until then the
 * end of the starting shell would end it.
 */
export function startingScript({ endpoint, database, root, id, seconds }: UndoScript): string {
  const words = ["pulumi-ovn-undo", endpoint, database, root, id, String(seconds)].map(quote).join(" ");
  return `${POSSIBLE} || exit 3
script=${quote(`echo $$\nexec </dev/null >/dev/null 2>&1\n${WATCH}`)}
pid=$(setsid sh -c "$script" ${words} 2>/dev/null &)
echo "$pid"
`;
}
