// Finds the next page of an answer, and the items of a page (developer-api.md 7.6; decisions: paging of HTTP steps). Pure.
import { nextLink } from "../../../../platform/outbound/nextLink.ts"
import type { OutboundResponse } from "../../../../platform/outbound/requests.ts"
import { StepFailed } from "../../model/Step.ts"
import { isPlainObject } from "../../schema/walk.ts"
import type { KeyPath, Paging } from "./httpConfig.ts"
import { requestAt, type StepHttpRequest } from "./httpSend.ts"

/** Page that follows: an address, or a cursor for the first request. */
export type NextPage = { readonly url: URL } | { readonly cursor: string | number }

/** Value at a path; undefined where it does not lead to one. */
export const valueAt = (data: unknown, path: KeyPath): unknown =>
  path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return typeof key === "number" ? value.at(key) : undefined
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, data)

/** Path as messages show it. */
const pathText = (path: KeyPath): string => `\`${path.join(" / ")}\``

/** Returns the page after an answer, or null after the last one. */
export const nextPage = (
  { next_path = [], type }: Paging,
  answer: Pick<OutboundResponse, "headers" | "url">,
  data: unknown
): NextPage | null | StepFailed => {
  const named = type === "link_header" ? nextLink(answer.headers["link"]) : valueAt(data, next_path)
  if (named === undefined || named === null || named === false || named === "") return null
  if (typeof named !== "string" && (typeof named !== "number" || type === "next_url"))
    return new StepFailed({ message: `What the answer holds at ${pathText(next_path)} names no next page.` })
  if (type === "cursor") return { cursor: named }
  const url = URL.parse(String(named), answer.url)
  return url === null ? new StepFailed({ message: "The address of the next page is no valid URL." }) : { url }
}

/** Returns a page's items: the list at the path, or the body, as a list or as one item. */
export const itemsOf = ({ items_path }: Paging, data: unknown, page: number): ReadonlyArray<unknown> | StepFailed => {
  if (items_path === undefined || items_path.length === 0) return Array.isArray(data) ? data : data === "" ? [] : [data]
  const list = valueAt(data, items_path)
  // Some servers leave the list of an empty page out.
  if (list === undefined || list === null) return []
  return Array.isArray(list)
    ? list
    : new StepFailed({ message: `Page ${page} has no list at ${pathText(items_path)}.` })
}

/** URL with a parameter in place of any earlier one of that name; the rest of its query stays as it is written. */
const withParameter = (url: string, name: string, value: string): URL | null => {
  const target = URL.parse(url)
  if (target === null) return null
  const otherPairs = target.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !new URLSearchParams(pair).has(name))
  target.search = [...otherPairs, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join("&")
  return target
}

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }
const exactNumbers = (_key: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === "number" && source !== undefined ? rawJSON(source) : value

/** JSON object with a member set, numbers as they are written; undefined if the text is no object. */
const withMember = (body: StepHttpRequest["body"], name: string, value: string | number): string | undefined => {
  if (typeof body !== "string" || !body.trimStart().startsWith("{")) return undefined
  try {
    const object: unknown = JSON.parse(body, exactNumbers as (key: string, value: unknown) => unknown)
    return isPlainObject(object) ? JSON.stringify({ ...object, [name]: value }) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the request for the next page. @param first the step's own request, for cursors @param previous the last page's request, whose
 * credentials stay behind once another origin is asked
 */
export const pageRequest = (
  { cursor_in, cursor_parameter = "" }: Paging,
  first: StepHttpRequest,
  previous: StepHttpRequest,
  next: NextPage
): StepHttpRequest | StepFailed => {
  if ("cursor" in next) {
    if (cursor_in === "body") {
      const body = withMember(first.body, cursor_parameter, next.cursor)
      return body === undefined
        ? new StepFailed({ message: "The body is no JSON object that could take the cursor." })
        : { ...first, body }
    }
    const url = withParameter(first.url, cursor_parameter, String(next.cursor))
    return url === null ? new StepFailed({ message: "The address takes no cursor." }) : { ...first, url: url.href }
  }
  const request = requestAt(previous, next.url)
  return request.elsewhere && request.bodyStays && request.body !== undefined
    ? new StepFailed({ message: `The next page is at ${next.url.host}, and the body holds a secret.` })
    : request
}
