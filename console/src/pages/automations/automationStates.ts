// The states of an automation in words.
import type { ItemOf } from "@millrace/client"
import { automationStates as texts } from "../../texts/automations/automationsWords.ts"

interface State {
  readonly words: string
  readonly tone: "good" | "warn" | "bad" | ""
}

export const automationStates: Readonly<Record<ItemOf<"automations.listOrg">["status"], State>> = {
  active: { words: texts.active.words, tone: "good" },
  paused: { words: texts.paused.words, tone: "warn" },
  broken: { words: texts.broken.words, tone: "bad" },
  draft: { words: texts.draft.words, tone: "" }
}
