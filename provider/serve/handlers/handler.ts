import type { Diagnostic } from "../../kit/arguments/diagnostics";
import type { Trace } from "../../backends/contract/backend";
import type { MemberLists } from "../../kit/members/lists";
import type { Connections } from "../../targets/connections";
import type { SecretPath } from "./secret-paths";

/** A resource's properties: plain JSON, without what belongs to the protocol that carries them. */
export type Properties = Record<string, unknown>;

/** The common part of every request about a resource. */
export interface Request {
  /** The URN under which the resource was made: its identity for life, also after a rename with an alias. */
  readonly urn: string;
  /** Paths of the arguments that have secrets. */
  readonly secrets: readonly SecretPath[];
  readonly targets: Connections;
  /** Lists that arguments may refer to. Without them such arguments are not known. */
  readonly members?: MemberLists | undefined;
  /** Ends calls in progress when the engine has ended. */
  readonly signal?: AbortSignal | undefined;
}

export interface CheckRequest extends Request {
  /** The checked inputs of the last update; empty for a new resource. */
  readonly olds: Properties;
  readonly news: Properties;
  /** Whether it is for a preview, which writes nothing. Default: it may be for an update. */
  readonly preview?: boolean;
}

export interface CheckResponse {
  readonly inputs: Properties;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DiffRequest {
  /** URN of the resource. Without it, nothing is cached about the resources of the stack. */
  readonly urn?: string;
  /** The outputs of the last update. */
  readonly olds: Properties;
  /** Checked inputs. */
  readonly news: Properties;
  readonly members?: MemberLists | undefined;
}

export interface DiffResponse {
  readonly changes: boolean;
  /** Arguments that force a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export interface CreateRequest extends Request {
  /** Checked inputs. */
  readonly news: Properties;
}

/** About a resource that exists, with its outputs. */
export interface ExistingRequest extends Request {
  readonly id: string;
  readonly olds: Properties;
}

export interface UpdateRequest extends ExistingRequest {
  /** Checked inputs. */
  readonly news: Properties;
}

export interface WriteResponse {
  readonly outs: Properties;
  /** Warnings about what could not be made as asked. Default: none. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** A row, flow or object that differs from the last update. */
export interface Drifted {
  /** Its name as in the preview's lines. */
  readonly label: string;
  /** As in the output `drift`. */
  readonly difference: string;
  readonly trace?: Trace | undefined;
}

export interface ReadResponse {
  readonly props: Properties;
  /** All differences; the output `drift` names at most 20. Default: none. */
  readonly drifted?: readonly Drifted[];
  /** undefined: those of the last update hold. */
  readonly inputs?: Properties;
  /** Warnings about what was found. Default: none. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Reason why there is no desired state to compare with: the written state stays, with its properties. */
  readonly refused?: string;
}

/**
 * Operations of a kind of resource, independent of the protocol that calls them (currently Pulumi's dynamic provider).
 * `check` and `diff` are pure except for the names of the targets and the observations of a kind. The others call
 * targets, each call with a timeout.
 */
export interface Handler {
  check(request: CheckRequest): Promise<CheckResponse>;
  diff(request: DiffRequest): DiffResponse;
  create(request: CreateRequest): Promise<{ id: string } & WriteResponse>;
  /** Undefined if nothing of the resource exists. */
  read(request: ExistingRequest): Promise<ReadResponse | undefined>;
  update(request: UpdateRequest): Promise<WriteResponse>;
  delete(request: ExistingRequest): Promise<void>;
  /** Names of outputs that only repeat arguments, and that no class of the sdk documents. Default: none. */
  repeated?(outs: Properties): readonly string[];
}
