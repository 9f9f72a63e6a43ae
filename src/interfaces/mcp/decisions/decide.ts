// A call that takes a decision is answered by a question, where the client can ask its user; sent again with the answer and the state, it
// is carried out (MCP 2026-07-28, multi round-trip requests). To other clients it is carried out as it comes.
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode
} from "@modelcontextprotocol/server"
import { Effect, Result } from "effect"
import { callTool, failure, failureOf, isSuccess } from "../call.ts"
import type { Tool } from "../Tool.ts"
import type { ToolContext } from "../ToolContext.ts"
import { type DecisionChoice, type Question, questions } from "./questions.ts"
import { isOurs, mint } from "./requestState.ts"

/** Parts of a request other than its params: elicitation support, state and responses. */
export interface Round {
  readonly elicits: boolean
  readonly state: unknown
  readonly responses: Readonly<Record<string, unknown>> | undefined
}

const key = "decision"

const askQuestion = ({ choices, message }: Question) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: {
        [key]: {
          type: "string",
          title: "Decision",
          oneOf: choices.map(({ title, value }) => ({ const: value, title }))
        }
      },
      required: [key]
    }
  })

/** The choice that was made; "none" where the person did not want to choose, `undefined` where there is no answer. */
const chosenOf = (response: unknown, { choices }: Question): DecisionChoice | "none" | undefined => {
  const { action, content } = (response ?? {}) as {
    readonly action?: unknown
    readonly content?: Record<string, unknown>
  }
  if (action === "decline" || action === "cancel") return "none"
  return action === "accept" ? choices.find(({ value }) => value === content?.[key]) : undefined
}

const invalidState = new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
  reason: "invalid_request_state"
})

const declined = failure("declined", "The user decided against it; nothing was done.")

export const decide = Effect.fnUntraced(function* (
  desk: ToolContext,
  tool: Tool,
  args: unknown,
  { elicits, responses, state }: Round
): Effect.fn.Return<CallToolResult | InputRequiredResult> {
  const { api, caller, secrets } = desk
  if (
    state !== undefined &&
    !(typeof state === "string" && (yield* isOurs(secrets, state, caller.userId, tool.name, args)))
  )
    return yield* Effect.die(invalidState)
  const ask = Object.hasOwn(questions, tool.name) ? questions[tool.name] : undefined
  const call = callTool(desk, tool, args)
  if (ask === undefined || !elicits) return yield* call
  const fits = yield* Effect.option(tool.request(args))
  if (fits._tag === "None") return yield* call
  const asking = yield* Effect.result(ask(desk, args as Record<string, unknown>))
  if (Result.isFailure(asking)) return failureOf(asking.failure.answer)
  const question = asking.success
  if (question === undefined) return yield* call
  const choice = state === undefined ? undefined : chosenOf(responses?.[key], question)
  if (choice === undefined) {
    const requestState = yield* mint(secrets, caller.userId, tool.name, args)
    return inputRequired({ inputRequests: { [key]: askQuestion(question) }, requestState })
  }
  if (choice === "none" || choice.leaves === true) return declined
  if (choice.first !== undefined) {
    const firstAnswer = yield* api.call(caller, choice.first)
    if (!isSuccess(firstAnswer)) return failureOf(firstAnswer)
  }
  return yield* call
})
