import { type OvsdbError, WrongClusterError } from "../errors";
import type { Endpoint } from "../transport/endpoint";
import type { ConnectedEvent, Events } from "./events";
import type { Link } from "./link";

/** Reports of the session's connections to the caller, with the state that was reported last. */
export class Report {
  private first = true;
  /** Whether the server was last reported as leader. */
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

  /** Reports a changed leadership of a cluster's server. */
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
