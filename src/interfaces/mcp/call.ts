// Carries out a tool call through the Developer API's own routes and turns the answer into a tool result (developer-api.md 1.5).
import type { CallToolResult } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { type Budget, spentMessage } from "../../api/middleware/RateLimit.ts"
import type { InProcessAnswer } from "../../domain/accounts/InProcess.ts"
import { isOver } from "../../domain/automations/requests/RunOutcomes.ts"
import { adviceFor } from "./advice.ts"
import { boundAnswer } from "./answerSize.ts"
import { follow, newTicket, told, waitKeyOf } from "./followRun.ts"
import type { Tool } from "./Tool.ts"
import type { ToolContext } from "./ToolContext.ts"

const text = (value: string) => [{ type: "text" as const, text: value }]

export const failure = (code: string, message: string, more: ReadonlyArray<string> = []): CallToolResult => ({
  isError: true,
  content: text([`${code}: ${message}`, ...more, `What to do: ${adviceFor(code)}`].join("\n"))
})

/** A failure of the API in words: code, message, what else its body tells, advice. */
export const failureOf = ({ status, body }: InProcessAnswer): CallToolResult => {
  const { error_code, error_message, errors, retry_after } = (body ?? {}) as Readonly<Record<string, unknown>>
  const more = [
    ...(errors === undefined ? [] : [`Errors: ${boundAnswer(errors).text}`]),
    ...(retry_after === undefined ? [] : [`Retry after ${retry_after} seconds.`])
  ]
  return failure(String(error_code ?? `status_${status}`), String(error_message ?? "The call failed."), more)
}

/** Exceeded budget as a tool failure, in the words of the API. */
const spentBudget = (budget: Budget): CallToolResult =>
  failure("too_many_requests", spentMessage(budget), [`Retry after ${budget.retryAfterSeconds} seconds.`])

export const isSuccess = ({ status }: InProcessAnswer) => status >= 200 && status < 300

/** A tool's answer: for programs and, as text, for models. The text is the JSON of the other (`written` relies on it). */
export const answerOf = (value: unknown): CallToolResult => {
  const answer = boundAnswer(value)
  return { structuredContent: answer.value as Record<string, unknown>, content: text(answer.text) }
}

/** Marks an answer as one that a task stands for (`conversation.ts`): the package knows no such result. */
export const TASK_ID = "millrace/task"
const asTask = (answer: CallToolResult, taskId: string): CallToolResult => ({ ...answer, _meta: { [TASK_ID]: taskId } })

export const callTool = Effect.fnUntraced(
  function* (desk: ToolContext, tool: Tool, args: unknown) {
    const { api, caller } = desk
    const request = yield* tool.request(args)
    if (tool.follows) {
      const ticket = yield* newTicket
      const waitKey = waitKeyOf(caller.userId, ticket)!
      const accepted = yield* api.call({ ...caller, waitKey }, request)
      if (!isSuccess(accepted)) return failureOf(accepted)
      const { message } = accepted.body as { message: string }
      // The outcome is "unknown" for a repeated call that the API answers from the first one's stored answer: its key has no row.
      const outcome = yield* follow(desk, waitKey)
      const answer = answerOf(told(outcome, message))
      return desk.tasks && outcome.type !== "unknown" && !isOver(outcome) ? asTask(answer, `run-${ticket}`) : answer
    }
    const answer = yield* api.call(caller, request)
    if (!isSuccess(answer)) return failureOf(answer)
    const shapedAnswer = tool.shape(answer.body ?? {}, (args ?? {}) as Record<string, unknown>)
    return desk.tasks && tool.taskOf !== undefined
      ? asTask(answerOf(shapedAnswer), tool.taskOf(desk, shapedAnswer))
      : answerOf(shapedAnswer)
  },
  // Input is looked at behind the budget (developer-api.md 1.5): a call that does not fit costs what it would have.
  (called, { spend }, { requirement }) =>
    Effect.catchTag(called, "ArgumentsInvalid", ({ message }) =>
      Effect.map(spend(requirement.cost ?? 1), (budget) =>
        budget.allowed ? failure("input_validation", message) : spentBudget(budget)
      )
    )
)
