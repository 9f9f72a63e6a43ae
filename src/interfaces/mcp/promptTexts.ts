// Jobs that people ask for again and again, each with what it needs attached and the order to work in.
import type { Prompt } from "@modelcontextprotocol/server"
import { appUri, automationUri, runUri } from "./resourceUris.ts"

export type PromptArguments = Readonly<Record<string, string>>

export interface PromptDefinition {
  readonly listing: Prompt
  /** URIs of what is attached. */
  readonly attach: (args: PromptArguments) => ReadonlyArray<string>
  readonly text: (args: PromptArguments) => string
}

const required = (name: string, description: string) => ({ name, description, required: true })
const app = required("app_id", "The app that it works on")
const automation = required("automation_id", "The automation, from list_automations")
const ofApp = ({ app_id = "" }: PromptArguments) => [appUri(app_id)]
const ofAutomation = ({ automation_id = "" }: PromptArguments) => [automationUri(automation_id)]

export const promptDefinitions: ReadonlyArray<PromptDefinition> = [
  {
    listing: {
      name: "build_automation",
      title: "Build an automation",
      description: "From a goal in words to a validated automation, switched on when you agree.",
      arguments: [app, required("goal", "What should happen, and when")]
    },
    attach: ofApp,
    text: ({ app_id, goal }) => `Build an automation in app ${app_id}. The goal: ${goal}

Work in this order.
1. Read the attached app: which fields and options does the goal concern? If something is missing or unclear, ask me before you go on.
2. Choose a trigger with list_trigger_types and the steps with list_action_types; read the config of each type you use. For conditions see list_filter_operators.
3. Tell me the plan in a few lines: when it starts, on which condition, which steps.
4. create_automation, then validate_automation. Correct with update_automation until it is valid.
5. If the trigger concerns a record, simulate_automation on one that fits, then read_run and tell me what would have happened.
6. activate_automation only after I said yes.`
  },
  {
    listing: {
      name: "why_did_this_run_fail",
      title: "Why did this run fail?",
      description: "The cause of a failed run in plain words, and what to change.",
      arguments: [required("run_id", "The run, from list_runs")]
    },
    attach: ({ run_id = "" }) => [runUri(run_id)],
    text: ({ run_id }) => `Why did the automation run ${run_id} fail? Its log is attached.

1. Find the first log entry with status failure, and the run's failure_reason and error_message.
2. read_automation: find the step (action_id) and what it was given. If a record is concerned, read_record. For runs called by others look at triggered_by_automation_id.
3. Tell me in plain words what happened, why, and whether it will happen again. Separate what the log shows from what you suppose.
4. Propose the smallest change that prevents it. Change nothing before I agree.`
  },
  {
    listing: {
      name: "explain_automation",
      title: "What does this automation do?",
      description: "An automation in plain words: when it starts, what it changes, what could go wrong.",
      arguments: [automation]
    },
    attach: ofAutomation,
    text: ({
      automation_id
    }) => `Explain automation ${automation_id}, which is attached, to somebody who has never seen it.

1. describe_app of its app, so that fields and options have names instead of ids.
2. validate_automation: errors and warnings.
3. list_runs of it: how often it ran lately, and how often it failed.
4. Tell me in a few lines: when it starts, on which condition, what each step does, whom it writes to outside the service, and what could go wrong.`
  },
  {
    listing: {
      name: "change_automation",
      title: "Change an automation",
      description: "A change in words, tried against the present definition before it is saved for good.",
      arguments: [automation, required("change", "What is to be different")]
    },
    attach: ofAutomation,
    text: ({ automation_id, change }) => `Change automation ${automation_id}, which is attached: ${change}

1. describe_app of its app; read the config of each type of step that you touch with list_action_types.
2. Tell me what you will change, place by place, and wait for my yes: an active automation stays active, and the change holds at once.
3. update_automation, then validate_automation.
4. If it concerns records, simulate_automation on one that fits, with the former revision (revision_id from list_automation_revisions) and with the present one, and compare_runs.
5. If it is not what I meant, restore_automation_revision.`
  },
  {
    listing: {
      name: "build_app",
      title: "Build an app",
      description: "From what you want to keep to an app with its fields, made when you agree.",
      arguments: [required("goal", "What is to be kept, and what for")]
    },
    attach: () => ["millrace://docs/guides/records"],
    text: ({ goal }) => `Build an app. The goal: ${goal}

1. list_workspaces and list_apps: is there something of the kind already, or an app that this one should point to?
2. Propose name, item_name and fields in a table: label, field_type, required, options or related app. Ask what is unclear.
3. create_app only after I said yes.
4. create_records with two or three samples if I want them, and create_view for what I will look at most.`
  },
  {
    listing: {
      name: "find_records",
      title: "Find records",
      description: "A question in words, answered from the records of an app.",
      arguments: [app, required("question", "What you want to know")]
    },
    attach: ofApp,
    text: ({ app_id, question }) => `Answer from the records of app ${app_id}, whose fields are attached: ${question}

1. Turn the question into filters of search_records by field_id; options by their ids. If a saved view fits (list_views), use list_view_records.
2. Read page after page while there is a cursor and the question needs all; \`total\` counts without reading.
3. Answer in one sentence first, then the records with their record_url. Say what you could not find out.`
  },
  {
    listing: {
      name: "set_up_webhook",
      title: "Set up a webhook",
      description: "A webhook from an app to an address, verified and tried out.",
      arguments: [app, required("url", "Where it is sent")]
    },
    attach: (args) => [...ofApp(args), "millrace://docs/guides/webhooks", "millrace://docs/hook-bodies"],
    text: ({
      app_id,
      url
    }) => `Set up a webhook from app ${app_id} to ${url}. The attached guide says how receivers trust it.

1. Ask me which events it is for, and whether all records or only some (filter of update_webhook_settings).
2. create_webhook, then request_webhook_verification. Whoever runs the receiver tells us the code: wait for it.
3. confirm_webhook_verification, then test_webhook, and tell me what the receiver answered.
4. If the code did not arrive, read_webhook_verification says why.`
  },
  {
    listing: {
      name: "why_does_this_webhook_fail",
      title: "Why does a webhook fail?",
      description: "The cause of failed deliveries of an app's webhooks, and how to send them again.",
      arguments: [app]
    },
    attach: (args) => [...ofApp(args), "millrace://docs/guides/webhooks"],
    text: ({ app_id }) => `Why do webhooks of app ${app_id} fail?

1. list_webhooks: which are inactive, or have failures in a row? read_webhook_statistics of these.
2. list_deliveries with status failed, and read_delivery of two or three: what did the receiver answer, since when?
3. Tell me in plain words whose fault it is: the receiver's, the network's, the address's, ours.
4. Once it is mended, replay_deliveries from the time it began, after I said yes; read_replay shows how far it is.`
  }
]
