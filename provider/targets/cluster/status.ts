import { ObjectError } from "./errors";
import type { ApiResponse } from "./session";

/** Answer of an API server to a failed request (meta/v1, Status). */
interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly kind?: string;
    readonly name?: string;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

export const succeeded = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** Body of a successful answer. Other answers are not from an API server. */
export function contentsOf(response: ApiResponse, subject: string): object {
  const { body, status } = response;
  if (!succeeded(response)) throw errorOf(response, subject);
  if (typeof body === "object" && body !== null) return body;
  throw new ObjectError(
    "OVN_CLUSTER_ERROR",
    `${subject}: what answers ${status} is not an API server: it sends no JSON object; does the kubeconfig's address lead to a proxy or a login page?`,
  );
}

/** @param subject what the request was about, such as `FRRConfiguration frr-k8s-system/a` */
export function errorOf({ status, body }: ApiResponse, subject: string): ObjectError {
  const { message = `HTTP status ${status}`, reason, details = {} } = (body ?? {}) as Status;
  switch (status) {
    case 401:
      return new ObjectError(
        "OVN_CLUSTER_CREDENTIALS",
        "the API server refuses the credentials of the kubeconfig's user; log in again, or name another kubeconfig or context",
      );
    case 403:
      return new ObjectError("OVN_FORBIDDEN", `${subject}: ${message}`);
    case 404:
      if (details.kind === "namespaces") return new ObjectError("OVN_NAMESPACE_MISSING", `${subject}: there is no namespace "${details.name}"; make it first`);
      break;
    case 409: {
      const conflicts = (details.causes ?? []).filter((cause) => cause.reason === "FieldManagerConflict");
      if (conflicts.length === 0) return new ObjectError("OVN_CONTENTION", `${subject}: ${message}; run the update again`);
      return new ObjectError("OVN_FIELD_CONFLICT", `${subject}: ${conflicts.map(({ field, message: text }) => `${field}: ${text}`).join("; ")}`);
    }
    case 400:
    case 422:
      return new ObjectError("OVN_OBJECT_INVALID", `${subject}: ${message}`);
  }
  return new ObjectError("OVN_CLUSTER_ERROR", `${subject}: the API server answers ${status}${reason ? ` ${reason}` : ""}: ${message}`);
}
