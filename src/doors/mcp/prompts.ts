// Two tasks that people ask for again and again, with what they need attached: building an automation, finding why a run failed.
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import type { Requirement } from "../../api/door/Requires.ts"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { InProcess } from "../../domain/accounts/InProcess.ts"
import { appUri, readResource, resourceRequirement, runUri } from "./resources.ts"

type Arguments = Readonly<Record<string, string>>

interface Definition {
  readonly listing: Prompt
  readonly attach: (args: Arguments) => string
  readonly text: (args: Arguments) => string
}

const build: Definition = {
  listing: {
    name: "build_automation",
    title: "Build an automation",
    description: "From a goal in words to a validated automation, switched on when you agree.",
    arguments: [
      { name: "app_id", description: "The app that it works on", required: true },
      { name: "goal", description: "What should happen, and when", required: true }
    ]
  },
  attach: ({ app_id = "" }) => appUri(app_id),
  text: ({ app_id, goal }) => `Build an automation in app ${app_id}. The goal: ${goal}

Work in this order.
1. Read the attached app: which fields and options does the goal concern? If something is missing or unclear, ask me before you go on.
2. Choose a trigger with list_trigger_types and the steps with list_action_types; read the config of each type you use. For conditions see list_filter_operators.
3. Tell me the plan in a few lines: when it starts, on which condition, which steps.
4. create_automation, then validate_automation. Correct with update_automation until it is valid.
5. If the trigger concerns a record, simulate_automation on one that fits, then read_run and tell me what would have happened.
6. activate_automation only after I said yes.`
}

const explain: Definition = {
  listing: {
    name: "why_did_this_run_fail",
    title: "Why did this run fail?",
    description: "The cause of a failed run in plain words, and what to change.",
    arguments: [{ name: "run_id", description: "The run, from list_runs", required: true }]
  },
  attach: ({ run_id = "" }) => runUri(run_id),
  text: ({ run_id }) => `Why did the automation run ${run_id} fail? Its log is attached.

1. Find the first log entry with status failure, and the run's failure_reason and error_message.
2. read_automation: find the step (action_id) and what it was given. If a record is concerned, read_record. For runs called by others look at triggered_by_automation_id.
3. Tell me in plain words what happened, why, and whether it will happen again. Separate what the log shows from what you suppose.
4. Propose the smallest change that prevents it. Change nothing before I agree.`
}

const prompts: ReadonlyMap<string, Definition> = new Map([build, explain].map((one) => [one.listing.name, one]))

export const promptListings: Array<Prompt> = [...prompts.values()].map(({ listing }) => listing)

/** What a prompt's attachment asks of the caller. */
export const promptRequirement = (name: string, args: Arguments): Requirement | undefined => {
  const prompt = prompts.get(name)
  return prompt === undefined ? undefined : resourceRequirement(prompt.attach(args))
}

export const getPrompt = Effect.fnUntraced(function* (
  api: InProcess["Service"],
  caller: CallerShape,
  name: string,
  args: Arguments
) {
  const prompt = prompts.get(name)
  if (prompt === undefined)
    return yield* Effect.die(new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 80)}`))
  const absent = prompt.listing.arguments?.find((one) => (args[one.name] ?? "").trim() === "")
  if (absent !== undefined)
    return yield* Effect.die(
      new ProtocolError(ProtocolErrorCode.InvalidParams, `The argument ${absent.name} is required.`)
    )
  const { contents } = yield* readResource(api, caller, prompt.attach(args))
  return {
    description: prompt.listing.description,
    messages: [
      ...contents.map((resource) => ({ role: "user" as const, content: { type: "resource" as const, resource } })),
      { role: "user", content: { type: "text", text: prompt.text(args) } }
    ]
  } as GetPromptResult
})
