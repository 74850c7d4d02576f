import { type OvsdbError, WrongClusterError } from "../errors";
import type { Endpoint } from "../transport/endpoint";
import type { ConnectedEvent, Events } from "./events";
import type { Link } from "./link";

/** What the caller is told of the session's connections, and what it takes to tell it: what was told before. */
export class Report {
  private first = true;
  /** The server in use is a cluster's leader, as it was told last. */
  private leading = false;
  private rounds = 0;

  constructor(private readonly events: Events) {}

  connected({ endpoint, server }: Link): void {
    const { model, clusterId, serverId } = server.database ?? {};
    const { first } = this;
    this.first = false;
    this.leading = false;
    this.rounds = 0;
    this.events.tell("connected", { ...this.events.at(endpoint), first, model: model as ConnectedEvent["model"], clusterId, serverId });
  }

  /** Of a cluster's member: does it say otherwise than before that it is the leader? */
  leader({ endpoint, server: { database } }: Link): void {
    const leader = database?.model === "clustered" && database.leader;
    if (leader === this.leading) return;
    this.leading = leader;
    this.events.tell("leader", { ...this.events.at(endpoint), leader, serverId: database?.serverId });
  }

  disconnected(endpoint: Endpoint, error: OvsdbError): void {
    this.events.tell("disconnected", { ...this.events.at(endpoint), problem: problem(error) });
  }

  /** A round over all endpoints has found none that can be used. */
  unreachable(error: OvsdbError): void {
    this.events.tell("unreachable", { problem: problem(error), rounds: ++this.rounds, otherCluster: error instanceof WrongClusterError });
  }
}

function problem({ code, message }: OvsdbError): { code: string; message: string } {
  return { code, message };
}
