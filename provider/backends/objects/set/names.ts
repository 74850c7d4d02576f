import { z } from "zod";

/** A path segment of the API: other names are not found, or name another object (apimachinery, `IsValidPathSegmentName`). */
export const objectName = z
  .string()
  .max(253, "names of objects have at most 253 characters")
  .regex(/^(?!\.{1,2}$)[^/%\p{C}\p{Zl}\p{Zp}]+$/u, "is not a name of an object: it can't be . or .., nor have / % or control characters");

/** RFC 1123, a DNS label (Kubernetes, "Object Names and IDs"). */
export const namespaceName = z
  .string()
  .max(63, "names of namespaces have at most 63 characters")
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "a namespace's name has lower-case letters, digits and dashes, and no dash at its ends");

/** `GROUP/VERSION`, or a version of the core group. */
export const apiVersion = z
  .string()
  .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "expected a version such as v1, or group/version such as apps/v1");

/** As manifests and discovery write it. */
export const kindName = z.string().regex(/^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/, "expected the name of a kind, such as ConfigMap");

const LABEL = /^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Why a text can't be the key of a label or annotation (Kubernetes, "Labels and Selectors"); undefined where it can. */
function keyProblem(key: string): string | undefined {
  const [name = "", prefix, ...more] = key.split("/").reverse();
  const good = more.length === 0 && name.length <= 63 && LABEL.test(name) && (prefix === undefined || (prefix.length <= 253 && SUBDOMAIN.test(prefix)));
  return good ? undefined : "is no key: at most 63 letters, digits and . _ -, after an optional DNS name and a slash";
}

/** @param read how the API server reads a key */
function keyed(value: z.ZodType<string, string>, read = (key: string) => key) {
  return z.record(z.string(), value).superRefine((texts, context) => {
    for (const key of Object.keys(texts)) {
      const problem = keyProblem(read(key));
      if (problem !== undefined) context.addIssue({ code: "custom", path: [key], message: problem, params: { code: "name" } });
    }
  });
}

export const labels = keyed(
  z.string().refine((value) => value === "" || (value.length <= 63 && LABEL.test(value)), "a label's value has at most 63 letters, digits and . _ -"),
);
/** In any case (apimachinery, `ValidateAnnotations`). */
export const annotations = keyed(z.string(), (key) => key.toLowerCase());
