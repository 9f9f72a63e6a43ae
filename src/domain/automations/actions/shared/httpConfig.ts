// Keys of the configs of HTTP steps (developer-api.md 7.6 `http_call`, `authenticated_http_call`): request, login, body, answer, pages.
import { Schema } from "effect"
import { line, list, sizes, token } from "../../../../platform/bounds/sized.ts"
import { flag, unset, withDefault } from "../../schema/combinators.ts"
import {
  type CustomDef,
  Reference,
  SecretReference,
  TemplateWithSecrets,
  templateWithSecrets
} from "../../schema/dynamicValues.ts"

/** Optional key with a description. A reference to a named schema shows none of its own; its parent says what it is. */
const about = <S extends Schema.Constraint>(schema: S, description: string): Schema.optionalKey<S> =>
  unset((schema as any).annotate({ description }) as S)

const Header = Schema.Struct({ id: token.pipe(withDefault("")), key: line, value: templateWithSecrets }).annotate({
  identifier: "HttpHeader"
})

const Certificate = Schema.Struct({
  certificate: unset(SecretReference),
  private_key: unset(SecretReference)
}).annotate({
  identifier: "HttpClientCertificate",
  description: "For mutual TLS: certificate and chain, and private key without a passphrase, in PEM"
})

const FormField = Schema.Struct({
  id: token.pipe(withDefault("")),
  key: line,
  value: templateWithSecrets,
  files: unset(Reference)
}).annotate({ identifier: "HttpFormField" })

/** Longest path into an answer. */
const PATH_KEYS = 50
const KeyPath = list(Schema.Union([line, Schema.Int]), PATH_KEYS).annotate({ identifier: "AnswerPath" })
export type KeyPath = typeof KeyPath.Type

export const PAGES_AT_MOST = 100
const Paging = Schema.Struct({
  type: Schema.Literals(["link_header", "next_url", "cursor"]).annotate({
    description: "Next page: the `Link` header's `next`, an address in the answer, or a cursor in it"
  }),
  next_path: unset(KeyPath),
  cursor_parameter: about(line, "`cursor`: name under which the next request sends it"),
  cursor_in: about(Schema.Literals(["query", "body"]), "`cursor`: query when left out, or a member of a JSON body"),
  items_path: unset(KeyPath),
  pages_at_most: about(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: PAGES_AT_MOST })),
    `${PAGES_AT_MOST} when left out`
  )
}).annotate({
  identifier: "HttpPaging",
  description:
    "Asks for the following pages too and joins their items in `data`. `next_path` (`next_url`, `cursor`) and `items_path` (left out: the body) are keys and 0-based indexes, -1 the last, from the answer's body down"
})
export type Paging = typeof Paging.Type

const bodyTypes = ["form", "multipart", "file"] as const
export const TIMEOUT_SECONDS = 30

export const request = {
  http_call_type: unset(Schema.Literals(["get", "post", "put", "patch", "delete"])),
  http_call_url: templateWithSecrets,
  http_call_headers: list(Header, sizes.definitionList).pipe(withDefault([])),
  http_call_body_type: about(
    Schema.Literals(bodyTypes),
    "`file`: `http_call_body_file`; left out: `http_call_body` as text or JSON"
  ),
  http_call_body: templateWithSecrets,
  http_call_body_raw: unset(
    Schema.Boolean.annotate({
      description:
        "References inside the strings of a JSON body stand as they are; left out they are escaped as JSON asks"
    })
  ),
  http_call_form: about(
    list(FormField, sizes.arguments),
    "Fields of a `form` or `multipart` body; `files`, of `multipart` alone, is sent instead of the value"
  ),
  http_call_body_file: unset(Reference),
  http_call_client_certificate: unset(Certificate),
  http_call_timeout_seconds: about(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 })),
    `Of each request; ${TIMEOUT_SECONDS} when left out`
  ),
  http_call_response_as_file: about(
    Schema.Boolean,
    "Keeps the answer in the file variable alone, up to 25 MB; `data` is null then"
  ),
  http_call_paging: unset(Paging),
  http_call_follow_redirects: flag(false)
}

export const login = {
  http_call_authentication: unset(
    Schema.Struct({
      type: Schema.Literals(["basic", "digest", "bearer"]),
      username: unset(TemplateWithSecrets),
      secret: unset(SecretReference)
    }).annotate({
      identifier: "HttpAuthentication",
      description: "`secret` is the password or token. Overrides a header `Authorization`"
    })
  )
}

export const requestNeeds = [
  { key: "http_call_type", code: "action_value_missing" },
  { key: "http_call_url", code: "action_value_missing" }
] as const

const Request = Schema.Struct({ ...request, ...login })
/** Config of both types of HTTP steps. */
export type RequestConfig = typeof Request.Type & { readonly custom_variable_defs: ReadonlyArray<CustomDef> }
