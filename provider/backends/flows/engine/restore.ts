import type { RestoreParts } from "../../../targets/apply/undo";
import { endedEarly, type HostTarget, shellOnHost } from "../shell/host";
import { IMAGE } from "../shell/image";
import { ENVIRONMENT } from "../shell/script";

/**
 * Shell function `restore [last]`: restores the parts in lines `NAME VALUE` of its input, as far as they are what the apply wrote. Prints
 * labels of what another writer changed since, in base64. Status 1: not complete; with `last` that is labelled, too. Needs ovs-ofctl, awk,
 * base64, gzip and mktemp.
 */
export const RESTORE = String.raw`${IMAGE}
unpack() { printf %s "$1" | base64 -d | gzip -dc; }
restore_file() {
  [ ! -e "$1" ] || cat "$1" >"$dir/live" || return 1
  [ -e "$dir/live" ] || : >"$dir/live"
  ! cmp -s "$dir/live" "$dir/before" || return 0
  if [ -e "$dir/after" ] && ! cmp -s "$dir/live" "$dir/after"; then echo "file $1" >>"$dir/kept"; return 0; fi
  if [ -s "$dir/before" ]; then (umask 077 && cp "$dir/before" "$1.undo" && mv -f "$1.undo" "$1"); else rm -f "$1"; fi
}
restore_flows() {
  image '' "$2" >"$dir/live" || return 1
  if [ ! -s "$dir/live" ]; then [ ! -s "$dir/before" ]; return; fi
  [ -e "$dir/after" ] || grep -e '^frags=' -e "^cookie=$1," "$dir/live" >"$dir/after" || return 1
  : >"$dir/delete"; : >"$dir/add"; : >"$dir/mode"
  awk -v d="$dir" -v c="$1" -v bridge="$2" '
    function rule(l) {
      sub(/(^| )actions=.*/, "", l); sub(/^cookie=[^,]*, */, "", l)
      gsub(/(idle_timeout|hard_timeout|importance)=[0-9]+, */, "", l)
      gsub(/(send_flow_rem|check_overlap|reset_counts|no_packet_counts|no_byte_counts) */, "", l)
      return l ~ /^table=/ ? l : "table=0, " l
    }
    { r = /^frags=/ ? "fragment mode" : rule($0); text[n, r] = $0; if (!(r in seen)) { seen[r] = 1; order[++m] = r } }
    END {
      for (i = 1; i <= m; i++) {
        r = order[i]; before = text[1, r]; after = text[2, r]; live = text[3, r]
        if (before == after || live == before) continue
        if (live != "" && live != after) { print (r == "fragment mode" ? r : "flow " r) " of bridge " bridge >>(d "/kept"); continue }
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
restore() {
  dir=$(mktemp -d) || return 1
  status=0
  : >"$dir/kept"
  while read -r part value; do
    [ -n "$part" ] || continue
    rm -f "$dir/after" "$dir/live"
    unpack "${"$"}{value%%.*}" >"$dir/before" || { status=1; continue; }
    [ -z "${"$"}{value#*.}" ] || unpack "${"$"}{value#*.}" >"$dir/after"
    name=${"$"}{part#*/}
    case $part in
      file/*) label="file $name"; restore_file "$name" ;;
      *) label="flows of bridge ${"$"}{name#*/}"; restore_flows "${"$"}{name%%/*}" "${"$"}{name#*/}" ;;
    esac && continue
    if [ "$1" = last ]; then echo "$label" >>"$dir/kept"; else status=1; fi
  done
  while read -r label; do printf %s "$label" | base64 | tr -d '\n'; echo; done <"$dir/kept"
  rm -rf "$dir"
  return $status
}
`;

const STATUS = /^pulumi-ovn-restored ([01])$/m;

/** Restores parts on a host, over its command. */
export const restoreOn =
  (target: HostTarget): RestoreParts =>
  async (parts, isLast) => {
    const lines = parts.map(({ name, value }) => `${name} ${value}\n`).join("");
    const script = `${ENVIRONMENT}\n${RESTORE}\necho pulumi-ovn-begin\nrestore ${isLast ? "last" : ""} <<'pulumi-ovn-end'\n${lines}pulumi-ovn-end\necho "pulumi-ovn-restored $?"\n`;
    const ended = await shellOnHost(target, script);
    const [, said = ""] = ended.stdout.split("pulumi-ovn-begin\n");
    const status = STATUS.exec(said);
    if (!status) throw endedEarly(target.host, ended, said !== "");
    const kept = said.slice(0, status.index).split("\n").filter(Boolean);
    return { kept: kept.map((label) => Buffer.from(label, "base64").toString()), isComplete: status[1] === "0" };
  };
