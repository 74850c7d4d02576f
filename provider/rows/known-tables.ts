import type { DatabaseName } from "./rowset";

/** Columns of a database's tables, by table, each list as one text. */
export interface KnownTables {
  /** Of the schema. */
  readonly version: string;
  readonly tables: Readonly<Record<string, string>>;
}

/** Made from `ovsdb-client/databases`; `UPDATE_KNOWN_TABLES=1 npx jest test/unit/rows/known-tables` rewrites what follows. */
export const KNOWN_TABLES: Readonly<Record<DatabaseName, KnownTables>> = {
  OVN_Northbound: {
    version: "7.11.0",
    tables: {
      ACL: "action direction external_ids label log match meter name options priority sample_est sample_new severity tier",
      Address_Set: "addresses external_ids name",
      BFD: "detect_mult dst_ip external_ids logical_port min_rx min_tx options status",
      Chassis_Template_Var: "chassis external_ids variables",
      Connection: "external_ids inactivity_probe is_connected max_backoff other_config status target",
      Copp: "external_ids meters name",
      DHCP_Options: "cidr external_ids options",
      DHCP_Relay: "external_ids name options servers",
      DNS: "external_ids options records",
      Forwarding_Group: "child_port external_ids liveness name vip vmac",
      Gateway_Chassis: "chassis_name external_ids name options priority",
      HA_Chassis: "chassis_name external_ids priority",
      HA_Chassis_Group: "external_ids ha_chassis name",
      Load_Balancer: "external_ids health_check ip_port_mappings name options protocol selection_fields vips",
      Load_Balancer_Group: "load_balancer name",
      Load_Balancer_Health_Check: "external_ids options vip",
      Logical_Router: "copp enabled external_ids load_balancer load_balancer_group name nat options policies ports static_routes",
      Logical_Router_Policy: "action bfd_sessions chain external_ids jump_chain match nexthop nexthops options priority",
      Logical_Router_Port: "dhcp_relay enabled external_ids gateway_chassis ha_chassis_group ipv6_prefix ipv6_ra_configs mac name networks options peer status",
      Logical_Router_Static_Route: "bfd external_ids ip_prefix nexthop options output_port policy route_table selection_fields",
      Logical_Switch: "acls copp dns_records external_ids forwarding_groups load_balancer load_balancer_group name other_config ports qos_rules",
      Logical_Switch_Port:
        "addresses dhcpv4_options dhcpv6_options dynamic_addresses enabled external_ids ha_chassis_group mirror_rules name options parent_name peer port_security tag tag_request type up",
      Meter: "bands external_ids fair name unit",
      Meter_Band: "action burst_size external_ids rate",
      Mirror: "external_ids filter index name sink type",
      NAT: "allowed_ext_ips exempted_ext_ips external_ids external_ip external_mac external_port_range gateway_port logical_ip logical_port match options priority type",
      NB_Global: "connections external_ids hv_cfg hv_cfg_timestamp ipsec name nb_cfg nb_cfg_timestamp options sb_cfg sb_cfg_timestamp ssl",
      Port_Group: "acls external_ids name ports",
      QoS: "action bandwidth direction external_ids match priority",
      SSL: "bootstrap_ca_cert ca_cert certificate external_ids private_key ssl_ciphers ssl_ciphersuites ssl_protocols",
      Sample: "collectors metadata",
      Sample_Collector: "external_ids id name probability set_id",
      Sampling_App: "external_ids id type",
      Static_MAC_Binding: "ip logical_port mac override_dynamic_mac",
    },
  },
  OVN_Southbound: {
    version: "20.41.0",
    tables: {
      ACL_ID: "id",
      Address_Set: "addresses name",
      Advertised_Route: "datapath external_ids ip_prefix logical_port tracked_port",
      BFD: "chassis_name detect_mult disc dst_ip external_ids logical_port min_rx min_tx options src_port status",
      Chassis: "encaps external_ids hostname name nb_cfg other_config transport_zones vtep_logical_switches",
      Chassis_Private: "chassis external_ids name nb_cfg nb_cfg_timestamp",
      Chassis_Template_Var: "chassis variables",
      Connection: "external_ids inactivity_probe is_connected max_backoff other_config read_only role status target",
      Controller_Event: "chassis event_info event_type seq_num",
      DHCP_Options: "code name type",
      DHCPv6_Options: "code name type",
      DNS: "datapaths external_ids options records",
      Datapath_Binding: "external_ids load_balancers tunnel_key",
      ECMP_Nexthop: "datapath external_ids mac nexthop port",
      Encap: "chassis_name ip options type",
      FDB: "dp_key mac port_key timestamp",
      Gateway_Chassis: "chassis external_ids name options priority",
      HA_Chassis: "chassis external_ids priority",
      HA_Chassis_Group: "external_ids ha_chassis name ref_chassis",
      IGMP_Group: "address chassis chassis_name datapath ports protocol",
      IP_Multicast: "datapath enabled eth_src idle_timeout ip4_src ip6_src querier query_interval query_max_resp seq_no table_size",
      Learned_Route: "datapath external_ids ip_prefix logical_port nexthop",
      Load_Balancer: "datapath_group datapaths external_ids lr_datapath_group ls_datapath_group name options protocol vips",
      Logical_DP_Group: "datapaths",
      Logical_Flow: "actions controller_meter external_ids flow_desc logical_datapath logical_dp_group match pipeline priority table_id tags",
      MAC_Binding: "datapath ip logical_port mac timestamp",
      Meter: "bands name unit",
      Meter_Band: "action burst_size rate",
      Mirror: "external_ids filter index name sink type",
      Multicast_Group: "datapath name ports tunnel_key",
      Port_Binding:
        "additional_chassis additional_encap chassis datapath encap external_ids gateway_chassis ha_chassis_group logical_port mac mirror_rules nat_addresses options parent_port port_security requested_additional_chassis requested_chassis tag tunnel_key type up virtual_parent",
      Port_Group: "name ports",
      RBAC_Permission: "authorization insert_delete table update",
      RBAC_Role: "name permissions",
      SB_Global: "connections external_ids ipsec nb_cfg options ssl",
      SSL: "bootstrap_ca_cert ca_cert certificate external_ids private_key ssl_ciphers ssl_ciphersuites ssl_protocols",
      Service_Monitor: "chassis_name external_ids ip logical_port options port protocol src_ip src_mac status",
      Static_MAC_Binding: "datapath ip logical_port mac override_dynamic_mac",
    },
  },
  Open_vSwitch: {
    version: "8.8.0",
    tables: {
      AutoAttach: "mappings system_description system_name",
      Bridge:
        "auto_attach controller datapath_id datapath_type datapath_version external_ids fail_mode flood_vlans flow_tables ipfix mcast_snooping_enable mirrors name netflow other_config ports protocols rstp_enable rstp_status sflow status stp_enable",
      CT_Timeout_Policy: "external_ids timeouts",
      CT_Zone: "external_ids limit timeout_policy",
      Controller:
        "connection_mode controller_burst_limit controller_queue_size controller_rate_limit enable_async_messages external_ids inactivity_probe is_connected local_gateway local_ip local_netmask max_backoff other_config role status target type",
      Datapath: "capabilities ct_zone_default_limit ct_zones datapath_version external_ids",
      Flow_Sample_Collector_Set: "bridge external_ids id ipfix local_group_id",
      Flow_Table: "external_ids flow_limit groups name overflow_policy prefixes",
      IPFIX: "cache_active_timeout cache_max_flows external_ids obs_domain_id obs_point_id other_config sampling stats_interval targets template_interval",
      Interface:
        "admin_state bfd bfd_status cfm_fault cfm_fault_status cfm_flap_count cfm_health cfm_mpid cfm_remote_mpids cfm_remote_opstate duplex error external_ids ifindex ingress_policing_burst ingress_policing_kpkts_burst ingress_policing_kpkts_rate ingress_policing_rate lacp_current link_resets link_speed link_state lldp mac mac_in_use mtu mtu_request name ofport ofport_request options other_config statistics status type",
      Manager: "connection_mode external_ids inactivity_probe is_connected max_backoff other_config status target",
      Mirror: "external_ids filter name output_port output_vlan select_all select_dst_port select_src_port select_vlan snaplen statistics",
      NetFlow: "active_timeout add_id_to_interface engine_id engine_type external_ids targets",
      Open_vSwitch:
        "bridges cur_cfg datapath_types datapaths db_version dpdk_initialized dpdk_version external_ids iface_types manager_options next_cfg other_config ovs_version ssl statistics system_type system_version",
      Port: "bond_active_slave bond_downdelay bond_fake_iface bond_mode bond_updelay cvlans external_ids fake_bridge interfaces lacp mac name other_config protected qos rstp_statistics rstp_status statistics status tag trunks vlan_mode",
      QoS: "external_ids other_config queues type",
      Queue: "dscp external_ids other_config",
      SSL: "bootstrap_ca_cert ca_cert certificate external_ids private_key",
      sFlow: "agent external_ids header polling sampling targets",
    },
  },
};
