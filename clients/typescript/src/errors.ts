// Errors of the API, told apart by `error_code` (developer-api.md 1.5), and of the way to it.
import type { Api } from "./generated/types.ts"

type Schemas = Api["schemas"]
type Known = {
  [K in keyof Schemas]: Schemas[K] extends { error_code: infer C extends string }
    ? string extends C
      ? never
      : Schemas[K]
    : never
}[keyof Schemas]

/** Every `error_code` that the API has. */
export type ErrorCode = Known["error_code"]

/** The body of an answer with this code. */
export type ErrorBody<C extends ErrorCode> = Extract<Known, { error_code: C }>

/** The service refused a request, or could not carry it out. `code` tells what of it; `body` is what it said. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly _tag = "ApiError"
  override readonly name = "ApiError"
  readonly code: C
  readonly status: number
  readonly body: ErrorBody<C>
  /** Id of the request in the service's logs; null if the answer has none. Give it to the operator of the service. */
  readonly requestId: string | null
  readonly headers: Headers

  constructor(body: ErrorBody<C>, headers: Headers) {
    super(body.error_message)
    this.code = body.error_code as C
    this.status = body.status_code
    this.body = body
    this.requestId = headers.get("X-Request-Id")
    this.headers = headers
  }
}

/** True if the error is one of the API, with one of these codes if any are given. */
export const isApiError = <C extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: ReadonlyArray<C>
): error is ApiError<C> =>
  error instanceof ApiError && (codes.length === 0 || (codes as ReadonlyArray<string>).includes(error.code))

/** No answer of the API: the network, a time-out, something in between. What was asked may have been carried out. */
export class TransportError extends Error {
  readonly _tag = "TransportError"
  override readonly name = "TransportError"
  /** Status of an answer that did not come from the API, such as a proxy's page; null if there was no answer. */
  readonly status: number | null

  constructor(message: string, options: { readonly cause?: unknown; readonly status?: number } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status ?? null
  }
}
