// Answers that change with a release alone: they carry an `ETag`, and `If-None-Match` saves sending them again (RFC 9110 13.1.2).
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

export const ReleaseEtag = Context.Reference<boolean>("millrace/http/ReleaseEtag", { defaultValue: () => false })

export const withReleaseEtag = <E>(endpoint: E): E =>
  (endpoint as unknown as HttpApiEndpoint.Top).annotate(ReleaseEtag, true) as unknown as E
