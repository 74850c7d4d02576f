import type { RestoreParts } from "../../../targets/apply/undo";
import { endedEarly, type HostTarget, shellOnHost } from "../shell/host";
import { IMAGE } from "../shell/image";
import { ENVIRONMENT } from "../shell/script";

/**
 * Shell function `room`: sets TMPDIR to a folder with space for temporary files, also those of a shell's here-documents. Status 1, and folders in
 * `full`: all are full. A full disk must not keep a host cut off, so memory is used, too. Needs head and mktemp.
 */
export const ROOM = String.raw`
has_room() { (head -c 1000000 /dev/zero >"$1/.pulumi-ovn-room" && rm "$1/.pulumi-ovn-room") 2>/dev/null || { rm -f "$1/.pulumi-ovn-room"; return 1; }; }
room() {
  full=
  for base in "${"$"}{TMPDIR:-/tmp}" /run /dev/shm; do
    full="${"$"}{full:+$full, }$base"
    tmp=$(mktemp -d "$base/pulumi-ovn-XXXXXX" 2>/dev/null) || continue
    if has_room "$tmp"; then rmdir "$tmp"; TMPDIR=$base; export TMPDIR; return 0; fi
    rmdir "$tmp"
  done
  return 1
}
`;

/** Message about a host whose disks are full. Pure. @param folders as `room` names them */
export const noSpace = (folders: string): string => `no space for 1 MB, which the undo needs, in ${folders}`;

/**
 * Shell function `restore [last]`: restores the parts in lines `NAME VALUE` of its input, as far as they are what the apply wrote, or what a
 * new bridge has: ovs-vswitchd makes a bridge whose rows are restored. Prints labels of what another writer changed since, in base64.
 * Status 1: not complete; with `last` that is labelled, too. Status 2, and the folder in `full`: a disk is full. Needs `room`, ovs-ofctl, awk,
 * base64, gzip and mktemp.
 */
export const RESTORE = String.raw`${IMAGE}
unpack() { printf %s "$1" | base64 -d | gzip -dc; }
restore_file() {
  [ ! -e "$1" ] || cat "$1" >"$dir/live" || return 1
  [ -e "$dir/live" ] || : >"$dir/live"
  ! cmp -s "$dir/live" "$dir/before" || return 0
  if [ -e "$dir/after" ] && ! cmp -s "$dir/live" "$dir/after"; then echo "file $1" >>"$dir/kept"; return 0; fi
  if [ -s "$dir/before" ]; then (umask 077 && cp "$dir/before" "$1.undo" && mv -f "$1.undo" "$1") || { rm -f "$1.undo"; return 1; }; else rm -f "$1"; fi
}
restore_flows() {
  image '' "$2" >"$dir/live" || return 1
  # A bridge that the apply made is gone with its row.
  if [ ! -s "$dir/live" ]; then ! grep -qv '^frags=' "$dir/before"; return; fi
  [ -e "$dir/after" ] || grep -e '^frags=' -e "^cookie=$1," "$dir/live" >"$dir/after" || return 1
  : >"$dir/delete"; : >"$dir/add"; : >"$dir/mode"
  awk -v d="$dir" -v c="$1" -v bridge="$2" '
    function rule(l) {
      sub(/(^| )actions=.*/, "", l); sub(/^cookie=[^,]*, */, "", l)
      gsub(/(idle_timeout|hard_timeout|importance)=[0-9]+, */, "", l)
      gsub(/(send_flow_rem|check_overlap|reset_counts|no_packet_counts|no_byte_counts) */, "", l)
      return l ~ /^table=/ ? l : "table=0, " l
    }
    n == 3 && index($0, "cookie=" c ",") == 1 { own = 1 }
    { r = /^frags=/ ? "fragment mode" : rule($0); text[n, r] = $0; if (!(r in seen)) { seen[r] = 1; order[++m] = r } }
    END {
      for (i = 1; i <= m; i++) {
        r = order[i]; before = text[1, r]; after = text[2, r]; live = text[3, r]
        new = !own && live == (r == "fragment mode" ? "frags=normal" : "")
        if (live == before || (before == after && !new)) continue
        if (live != "" && live != after && !new) { print (r == "fragment mode" ? r : "flow " r) " of bridge " bridge >>(d "/kept"); continue }
        if (r == "fragment mode") { if (before != "") print substr(before, 7) >(d "/mode"); continue }
        if (live != "") print "delete_strict cookie=" c "/-1, " r >(d "/delete")
        if (before != "") print "add " before >(d "/add")
      }
    }' n=1 "$dir/before" n=2 "$dir/after" n=3 "$dir/live" || return 1
  if [ -s "$dir/mode" ]; then ofctl set-frags "$2" "$(cat "$dir/mode")" </dev/null >/dev/null 2>&1 || return 1; fi
  cat "$dir/delete" "$dir/add" >"$dir/bundle" || return 1
  [ -s "$dir/bundle" ] || return 0
  ofctl --names --bundle add-flows "$2" "$dir/bundle" </dev/null >/dev/null 2>&1 && return 0
  # Ports of former flows may come with rows.
  [ ! -s "$dir/delete" ] || ofctl --names --bundle add-flows "$2" "$dir/delete" </dev/null >/dev/null 2>&1
  return 1
}
restore_part() {
  unpack "${"$"}{2%%.*}" >"$dir/before" || return 1
  [ -z "${"$"}{2#*.}" ] || unpack "${"$"}{2#*.}" >"$dir/after" || return 1
  case $1 in
    file/*) restore_file "$name" ;;
    *) restore_flows "${"$"}{name%%/*}" "${"$"}{name#*/}" ;;
  esac
}
restore() {
  dir=$(mktemp -d) || return 1
  status=0 full=
  : >"$dir/kept"
  while read -r part value; do
    [ -n "$part" ] || continue
    rm -f "$dir/after" "$dir/live"
    name=${"$"}{part#*/}
    case $part in
      file/*) label="file $name" folder=${"$"}{name%/*} ;;
      *) label="flows of bridge ${"$"}{name#*/}" folder=$dir ;;
    esac
    restore_part "$part" "$value" && continue
    if [ -d "$folder" ] && ! has_room "$folder"; then full=$folder
    elif [ "$1" = last ]; then echo "$label" >>"$dir/kept"
    else status=1; fi
  done
  while read -r label; do printf %s "$label" | base64 | tr -d '\n'; echo; done <"$dir/kept"
  rm -rf "$dir"
  [ -z "$full" ] || return 2
  return $status
}
`;

const STATUS = /^pulumi-ovn-restored ([012]) ?(.*)$/m;

/** Restores parts on a host, over its command. */
export const restoreOn =
  (target: HostTarget): RestoreParts =>
  async (parts, isLast) => {
    const lines = parts.map(({ name, value }) => `${name} ${value}\n`).join("");
    const script = `${ENVIRONMENT}
${ROOM}${RESTORE}
echo pulumi-ovn-begin
room || { echo "pulumi-ovn-restored 2 $full"; exit; }
restore ${isLast ? "last" : ""} <<'pulumi-ovn-end'
${lines}pulumi-ovn-end
echo "pulumi-ovn-restored $? $full"
`;
    const ended = await shellOnHost(target, script);
    const [, said = ""] = ended.stdout.split("pulumi-ovn-begin\n");
    const status = STATUS.exec(said);
    if (!status) throw endedEarly(target.host, ended, said !== "");
    const [, result, full] = status;
    if (result === "2") throw new Error(noSpace(full!));
    const kept = said.slice(0, status.index).split("\n").filter(Boolean);
    return { kept: kept.map((label) => Buffer.from(label, "base64").toString()), isComplete: result === "0" };
  };
