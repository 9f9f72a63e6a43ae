// The states of an automation in words.
import type { ItemOf } from "@millrace/client"

interface State {
  readonly words: string
  readonly tone: "good" | "warn" | "bad" | ""
}

export const automationStates: Readonly<Record<ItemOf<"automations.listOrg">["status"], State>> = {
  active: { words: "Active", tone: "good" },
  paused: { words: "Paused", tone: "warn" },
  broken: { words: "Broken", tone: "bad" },
  draft: { words: "Draft", tone: "" }
}
