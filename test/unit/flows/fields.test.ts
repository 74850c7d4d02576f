import { fieldsOf, nameOf } from "@pulumi-ovn/provider/testing";

it.each([
  ["", []],
  ["ip", ["ip"]],
  ["ip,nw_dst=10.0.0.1", ["ip", "nw_dst=10.0.0.1"]],
  [",ip,, tcp_dst=80\t", ["ip", "tcp_dst=80"]],
  ["table:3,ipv6_src:fe80::1,dl_src=00:00:00:00:00:01", ["table=3", "ipv6_src=fe80::1", "dl_src=00:00:00:00:00:01"]],
  ["table(3)ip priority(7)", ["table=3", "ip", "priority=7"]],
  ["table:=3,ip=", ["table==3", "ip="]],
  ["packet_type=(1,0x800),ip", ["packet_type=(1,0x800)", "ip"]],
  ["packet_type=((1,2),(3 4)),ip", ["packet_type=((1,2),(3 4))", "ip"]],
  ["packet_type((1,0x800))ip", ["packet_type=(1,0x800)", "ip"]],
  ["odd(1, 2)ip", ["odd(1, 2)", "ip"]],
  ['in_port="a port, (x",ip', ['in_port="a port, (x"', "ip"]],
  ['in_port("a, b"),ip', ['in_port="a, b"', "ip"]],
  [String.raw`in_port="a\", b",ip`, [String.raw`in_port="a\", b"`, "ip"]],
  ['in_port="never, ended', ['in_port="never, ended']],
  ["in_port=(never, ended", ["in_port=(never, ended"]],
  ["in_port(never", ["in_port=never"]],
  ["reg0[0..3]:5,reg1[]=2", ["reg0[0..3]=5", "reg1[]=2"]],
])("the fields of %j", (text, fields) => expect(fieldsOf(text)).toEqual(fields));

it.each([
  ["ip", "ip"],
  ["nw_dst=10.0.0.1", "nw_dst"],
  ["odd(1, 2)", "odd"],
  ["packet_type=(1,0x800)", "packet_type"],
  ["reg0[0..3]=1", "reg0[0..3]"],
])("the name of %s", (field, name) => expect(nameOf(field)).toBe(name));
