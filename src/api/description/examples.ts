// An example of what each operation is sent and answers: calls of a flow through all of them, recorded (contract/exampleFlow.ts) and held
// against the schemas (test/api/examples.test.ts).
import recorded from "./examples.json" with { type: "json" }

type Json = Record<string, any>

interface Example {
  readonly request?: unknown
  readonly status: number
  readonly answer?: unknown
}

const examples = recorded as Readonly<Record<string, Example>>

const JSON_TYPE = "application/json"

const withExample = (part: Json, example: unknown): Json => {
  const described = part["content"]?.[JSON_TYPE]
  return described === undefined || example === undefined
    ? part
    : { ...part, content: { ...part["content"], [JSON_TYPE]: { ...described, example } } }
}

/** The operation with its examples, where there are some. */
export const withExamples = (operation: Json): Json => {
  const example = examples[operation["operationId"]]
  if (example === undefined) return operation
  const { requestBody, responses } = operation
  const answer = responses[example.status]
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: withExample(requestBody, example.request) }),
    responses:
      answer === undefined ? responses : { ...responses, [example.status]: withExample(answer, example.answer) }
  }
}
