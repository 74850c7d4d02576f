import { asErrors } from "../../kit/arguments/diagnostics";
import { hasUnknown, sameJson, UNKNOWN } from "../../kit/arguments/unknown";
import { validate } from "../../kit/arguments/validate";
import { PREVIOUS, REFERENCES, rememberLists, withPrevious } from "../../kit/members/telling";
import { referenceTo } from "../../kit/members/reference";
import { networkMembersSchema } from "../../kinds/topology/network/lists";
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  DiffRequest,
  DiffResponse,
  ExistingRequest,
  Handler,
  Properties,
  ReadResponse,
  UpdateRequest,
} from "./handler";

/**
 * Holds the lists that all zones of a network share, so that the state contains them once, and passes them to the
 * resources of the zones. It does not write to a database.
 */
export class NetworkMembersHandler implements Handler {
  check({ urn, olds, news, members }: CheckRequest): Promise<CheckResponse> {
    rememberLists(members, olds);
    const { [REFERENCES]: _given, ...lists } = news;
    const failures = validate(networkMembersSchema, lists);
    if (failures.length > 0) return Promise.resolve({ inputs: lists, diagnostics: asErrors(failures) });
    const name = urn.slice(urn.lastIndexOf("::") + 2);
    const references = Object.fromEntries(
      Object.entries(lists).map(([list, entries]) => [list, hasUnknown(entries) ? UNKNOWN : referenceTo(list, name, entries as Properties)]),
    );
    const inputs = { ...lists, [REFERENCES]: references };
    rememberLists(members, inputs);
    return Promise.resolve({ inputs, diagnostics: [] });
  }

  diff({ olds, news, members }: DiffRequest): DiffResponse {
    // Inputs, which check has, do not rememberLists what was before.
    rememberLists(members, olds);
    return { changes: !sameJson(olds[REFERENCES], news[REFERENCES]), replaces: [], deleteBeforeReplace: false };
  }

  create({ news }: CreateRequest): Promise<{ id: string; outs: Properties }> {
    return Promise.resolve({ id: "members", outs: news });
  }

  read({ olds, members }: ExistingRequest): Promise<ReadResponse> {
    rememberLists(members, olds);
    const { [PREVIOUS]: _previous, ...inputs } = olds;
    return Promise.resolve({ props: olds, inputs });
  }

  update({ olds, news, secrets }: UpdateRequest): Promise<{ outs: Properties }> {
    // Pulumi keeps secret what has the name of a secret argument, and what was before has another one.
    return Promise.resolve({ outs: secrets.length > 0 ? news : { ...withPrevious(olds, news) } });
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  repeated(): readonly string[] {
    return Object.keys(networkMembersSchema.shape);
  }
}
