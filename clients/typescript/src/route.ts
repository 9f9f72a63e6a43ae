// Describes how the request of an operation is built.

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** Path with `{name}` for each parameter. */
  readonly path: string
  /** Names of the parameters that go to the query string. */
  readonly query: ReadonlyArray<string>
  readonly body: "json" | "form" | "none"
  /** `stream`: no JSON; the answer is given as a `Response`. */
  readonly answer: "json" | "stream"
  /** True if the operation takes an `Idempotency-Key` (developer-api.md 1.8). */
  readonly idempotent?: boolean
  /** Set if the operation answers with pages (developer-api.md 1.4): the collection's name, and where the next page's cursor goes. */
  readonly page?: { readonly cursor: "query" | "body"; readonly items: string }
}
