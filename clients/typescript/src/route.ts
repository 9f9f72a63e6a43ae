// What a request of an operation is made of.

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** With `{name}` for each parameter of the path. */
  readonly path: string
  /** Names of the parameters that go to the query string. */
  readonly query: ReadonlyArray<string>
  readonly body: "json" | "form" | "none"
  /** `stream`: no JSON; the answer is given as a `Response`. */
  readonly answer: "json" | "stream"
  /** It takes an `Idempotency-Key` (developer-api.md 1.8). */
  readonly idempotent?: boolean
  /** It answers with pages (developer-api.md 1.4): the collection's name, and where the next page's cursor goes. */
  readonly page?: { readonly cursor: "query" | "body"; readonly items: string }
}
