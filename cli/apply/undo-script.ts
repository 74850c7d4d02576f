import { ENVIRONMENT, quote, RESTORE, ROOM } from "@pulumi-ovn/provider/tools";
import type { DatabaseShell } from "./host-of";

/** Exit status of the starting script if the host lacks a program. */
export const LACKS_PROGRAM = 3;

/** Exit status of the starting script if the host has no space for temporary files. */
export const NO_SPACE = 4;

export interface UndoScript {
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
 * of coreutils or busybox. It looks at the database every 5 s, and every second before the deadline. It counts seconds since boot: clocks may be
 * wrong or be corrected. A transaction that is too long for a command line goes through a program that connects to the socket. A member of a
 * cluster passes transactions to its leader.
 */
const WATCH = String.raw`
now() { read -r up _ </proc/uptime; echo "${"$"}{up%.*}"; }
s=$1 d=$2 r=$3 id=$4 end=$(( $(now) + $5 )) stream=$6
t() {
  if [ "${"$"}{#1}" -lt 100000 ]; then timeout 20 ovsdb-client --no-leader-only transact ${"$"}{s:+"$s"} "$1" 2>/dev/null; else long "$1"; fi
}
count() { printf %s "$2" | tr -cd "$1" | wc -c; }
long() {
  tmp=$(mktemp -d) || return 1
  { printf '{"method":"transact","id":0,"params":%s}' "$1"; while [ -d "$tmp" ]; do sleep 1; done; } | timeout 30 sh -c "$stream" >"$tmp/reply" 2>/dev/null &
  n=0 reply=
  while [ $n -lt 100 ]; do
    reply=$(cat "$tmp/reply" 2>/dev/null)
    [ "$(count '{' "$reply")" -gt 0 ] && [ "$(count '{' "$reply")" -eq "$(count '}' "$reply")" ] && break
    sleep 0.2
    n=$((n + 1))
  done
  rm -rf "$tmp"
  case $reply in *'"result":['*) printf %s "$reply" | sed 's/"error":null//; s/^{//' ;; esac
}
ending=',{"op":"mutate","table":"'$r'","where":[],"mutations":[["external_ids","insert",["map",[["pulumi-ovn:apply-ending","yes"]]]]]}'
b64() { printf %s "$1" | base64 -d; }
here='[["external_ids","includes",["map",[["pulumi-ovn:apply","'$id'"],["pulumi-ovn:apply-phase","pending"]]]]]'
guard='{"op":"wait","table":"'$r'","where":'$here',"columns":["_uuid"],"until":"!=","rows":[],"timeout":0},{"op":"comment","comment":"pulumi-ovn: undo of apply '$id'"}'
rows() {
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
      done <<EOF || return 1
$list
EOF
    done
    note=
    [ -n "$parts" ] || keys=$keys,'"pulumi-ovn:apply-phase"' note=',["pulumi-ovn:apply-phase","undone"]'
    [ -z "$kept" ] || note=$note',["pulumi-ovn:apply-kept","'${"$"}{kept#,}'"]'
    done=$(t '["'$d'",'"$guard$ops$(marks "$keys" "$note")]")
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
      case $done in *'"error":"constraint violation"'* | *'"error":"referential integrity violation"'*) ;; *) return 1 ;; esac
      for key in $index; do case $key in "${"$"}{1%/*}"/*) skip="$skip$key " ;; esac; done
    else
      return 1
    fi
  done
}
marks() {
  printf %s ',{"op":"mutate","table":"'$r'","where":[],"mutations":[["external_ids","delete",["set",['"${"$"}{1#,}"']]]]}'
  printf %s ',{"op":"mutate","table":"'$r'","where":[],"mutations":[["external_ids","insert",["map",['"${"$"}{2#,}"']]]]}'
}
restored() {
  restore "$1" <<EOF
$parts
EOF
}
look() { t '["'$d'",{"op":"select","table":"'$r'","where":'$here',"columns":["external_ids"]}]'; }
undo() {
  room || return 1
  case $(t '["'$d'",'"$guard$ending]") in '' | *'"error"'*) return 1 ;; esac
  out=$(look)
  parts=$(printf %s "$out" | grep -o '"pulumi-ovn:part/[^"]*","[^"]*"' | sort | sed 's/"//g; s/^pulumi-ovn:part.//; s/,/ /')
  [ -z "$parts" ] || restored '' >/dev/null
  rows || return 1
  [ -n "$parts" ] || return 0
  n=1 last=
  until labels=$(restored "$last"); do
    [ -z "$last" ] || return 1
    n=$((n + 1))
    [ $n -lt 10 ] || last=last
    sleep 0.5
  done
  keys=$(printf '%s\n' "$parts" | sed 's|^\([^ ]*\) .*|,"pulumi-ovn:part/\1"|' | tr -d '\n')',"pulumi-ovn:apply-phase"'
  note=',["pulumi-ovn:apply-phase","undone"]'
  [ -z "$labels" ] || note=$note',["pulumi-ovn:apply-kept-parts","'$(printf %s "$labels" | tr '\n' ,)'"]'
  case $(t '["'$d'",'"$guard$(marks "$keys" "$note")]") in '' | *'"error"'*) return 1 ;; esac
}
seen=
while [ "$(now)" -lt $((end + 3600)) ]; do
  out=$(look)
  case $out in
  *"$id"*) seen=1; [ "$(now)" -lt $end ] || ! undo || exit 0 ;;
  *'"rows":[]'*) [ -z "$seen" ] && [ "$(now)" -lt $((end - $5 + 60)) ] || exit 0 ;;
  esac
  [ $((end - $(now))) -gt 5 ] && sleep 5 || sleep 1
done`;

const existing = (...programs: readonly string[]): string => programs.map((program) => `command -v ${program} >/dev/null`).join(" && ");

/** Words of a shell that fail where the script can't run. */
const possible = ({ hasParts }: DatabaseShell): string =>
  `${ENVIRONMENT}\n${existing("ovsdb-client", "base64", "setsid", ...(hasParts ? ["ovs-ofctl", "ovs-vsctl", "awk", "gzip"] : []))}`;

/** Copies a socket to standard output, and standard input to the socket, by the first of these programs that the host has. */
const connecting = (endpoint: string | undefined): string => `
socket=${endpoint === undefined ? '"${OVS_RUNDIR:-/var/run/openvswitch}/db.sock"' : quote(endpoint.slice("unix:".length))}
if [ -x ${quote(process.execPath)} ]; then exec ${quote(process.execPath)} -e 'const s=require("net").connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)' "$socket"
elif command -v socat >/dev/null; then exec socat - "UNIX-CONNECT:$socket"
elif command -v python3 >/dev/null; then exec python3 -c 'import os,socket,sys,threading as t
s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1])
t.Thread(target=lambda:[os.write(1,b) for b in iter(lambda:s.recv(65536),b"")],daemon=True).start()
[s.sendall(b) for b in iter(lambda:os.read(0,65536),b"")]' "$socket"
else exec nc -U "$socket"; fi`;

/**
 * Starts the script in a session of its own, which outlives the connection. Prints its process id when the session exists: until then the
 * end of the starting shell would end it.
 */
export function startingScript(shell: DatabaseShell, { database, root, id, seconds }: UndoScript): string {
  const { endpoint, stream, hasParts } = shell;
  const connect = stream.length > 0 ? `exec ${stream.map(quote).join(" ")}` : connecting(endpoint);
  const words = ["pulumi-ovn-undo", endpoint ?? "", database, root, id, String(seconds), connect].map(quote).join(" ");
  return `${possible(shell)} || exit ${LACKS_PROGRAM}
${ROOM}
room || { echo "$full"; exit ${NO_SPACE}; }
script=${quote(`echo $$\nexec </dev/null >/dev/null 2>&1\n${ROOM}${hasParts ? RESTORE : ""}${WATCH}`)}
pid=$(setsid sh -c "$script" ${words} 2>/dev/null &)
echo "$pid"
`;
}
