// Checks of the configs of HTTP steps that their schema alone cannot do: contradictions, refused on write, and gaps, which `validate` reports
// (developer-api.md 7.6, 7.12).
import { isOfFiles } from "../../schema/fileReferences.ts"
import type { Finding } from "../../schema/ValidationModel.ts"
import type { RequestConfig } from "./httpConfig.ts"

const keepsFile = ({ custom_variable_defs: defs }: RequestConfig): boolean =>
  defs.some(({ custom_type }) => custom_type === "single_file" || custom_type === "multi_file")

/** Returns the first contradiction: what would mean nothing is refused, lest somebody believe that it holds. */
export const requestRefusal = (config: RequestConfig): string | undefined => {
  const {
    http_call_authentication: login,
    http_call_body_file: file,
    http_call_body_type: type,
    http_call_form: form,
    http_call_paging: paging
  } = config
  const idle = (key: string, by: string) => `\`${key}\` means nothing ${by}`
  const hasText = config.http_call_body.some((item) => item !== "")
  if (type !== undefined && hasText) return idle("http_call_body", `for the body type \`${type}\``)
  if (form !== undefined && form.length > 0 && type !== "form" && type !== "multipart")
    return idle("http_call_form", "unless `http_call_body_type` is `form` or `multipart`")
  if (type === "form" && form?.some(({ files }) => files !== undefined) === true)
    return idle("http_call_form.files", "unless `http_call_body_type` is `multipart`")
  if (file !== undefined && type !== "file")
    return idle("http_call_body_file", "unless `http_call_body_type` is `file`")
  if (login?.type === "bearer" && login.username !== undefined)
    return idle("http_call_authentication.username", "for `bearer`")
  if (paging === undefined) return undefined
  if (config.http_call_response_as_file === true || keepsFile(config))
    return "`http_call_paging` joins the answers as data and keeps no file"
  if (paging.type === "link_header" && (paging.next_path ?? []).length > 0)
    return idle("http_call_paging.next_path", "for `link_header`")
  const cursorKey = (["cursor_parameter", "cursor_in"] as const).find((key) => paging[key] !== undefined)
  return paging.type !== "cursor" && cursorKey !== undefined
    ? idle(`http_call_paging.${cursorKey}`, `for \`${paging.type}\``)
    : undefined
}

/** Yields what is still missing before the step can run. */
export function* requestGaps(config: RequestConfig): Iterable<Finding> {
  const missing = (key: string): Finding => ({ code: "action_value_missing", message: `\`${key}\` is not set.` })
  const {
    http_call_authentication: login,
    http_call_body_file: file,
    http_call_body_type: type,
    http_call_client_certificate: certificate,
    http_call_form: form = [],
    http_call_paging: paging
  } = config
  if (login !== undefined) {
    if (login.type !== "bearer" && (login.username ?? []).length === 0)
      yield missing("http_call_authentication.username")
    if (login.type !== "basic" && login.secret === undefined) yield missing("http_call_authentication.secret")
  }
  for (const key of ["certificate", "private_key"] as const)
    if (certificate !== undefined && certificate[key] === undefined)
      yield missing(`http_call_client_certificate.${key}`)
  if (type === "file" && file === undefined) yield missing("http_call_body_file")
  for (const reference of [file, ...form.map(({ files }) => files)])
    if (reference !== undefined && !isOfFiles(reference))
      yield { code: "action_variable_missing", message: "A file that the request sends does not refer to files." }
  if (config.http_call_response_as_file === true && !keepsFile(config))
    yield { code: "action_variable_missing", message: "The answer is to be a file, and no file variable takes it." }
  if (paging === undefined) return
  if (paging.type !== "link_header" && (paging.next_path ?? []).length === 0)
    yield missing("http_call_paging.next_path")
  if (paging.type === "cursor" && (paging.cursor_parameter ?? "").trim() === "")
    yield missing("http_call_paging.cursor_parameter")
}
