// Carries out a tool call through the Developer API's own routes and turns the answer into a tool result (developer-api.md 1.5).
import type { CallToolResult } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import type { InProcessAnswer } from "../../domain/accounts/InProcess.ts"
import { adviceFor } from "./advice.ts"
import { bound } from "./bound.ts"
import type { Desk } from "./Desk.ts"
import { follow, newTicket, waitKeyOf } from "./followRun.ts"
import type { Tool } from "./Tool.ts"

const text = (value: string) => [{ type: "text" as const, text: value }]

export const failure = (code: string, message: string, more: ReadonlyArray<string> = []): CallToolResult => ({
  isError: true,
  content: text([`${code}: ${message}`, ...more, `What to do: ${adviceFor(code)}`].join("\n"))
})

/** A failure of the API in words: code, message, what else its body tells, advice. */
export const failureOf = ({ status, body }: InProcessAnswer): CallToolResult => {
  const { error_code, error_message, errors, retry_after } = (body ?? {}) as Readonly<Record<string, unknown>>
  const more = [
    ...(errors === undefined ? [] : [`Errors: ${JSON.stringify(bound(errors))}`]),
    ...(retry_after === undefined ? [] : [`Retry after ${retry_after} seconds.`])
  ]
  return failure(String(error_code ?? `status_${status}`), String(error_message ?? "The call failed."), more)
}

export const isSuccess = ({ status }: InProcessAnswer) => status >= 200 && status < 300

/** A tool's answer: for programs and, as text, for models. */
export const answerOf = (value: unknown): CallToolResult => {
  const structuredContent = bound(value) as Record<string, unknown>
  return { structuredContent, content: text(JSON.stringify(structuredContent)) }
}

export const callTool = Effect.fnUntraced(
  function* (desk: Desk, tool: Tool, args: unknown) {
    const { api, caller } = desk
    const request = yield* tool.request(args)
    if (tool.follows) {
      const waitKey = waitKeyOf(caller.userId, newTicket())!
      const accepted = yield* api.call({ ...caller, waitKey }, request)
      if (!isSuccess(accepted)) return failureOf(accepted)
      const { message } = accepted.body as { message: string }
      // Of a call that is answered from its first one nobody keeps a row.
      return answerOf(yield* follow(desk, waitKey, message))
    }
    const answer = yield* api.call(caller, request)
    if (!isSuccess(answer)) return failureOf(answer)
    return answerOf(tool.shape(answer.body ?? {}, (args ?? {}) as Record<string, unknown>))
  },
  Effect.catchTag("ArgumentsInvalid", (error) => Effect.succeed(failure("input_validation", error.message)))
)
