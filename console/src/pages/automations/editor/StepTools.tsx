// The commands on a step as buttons, for the mouse; their titles tell the keys.
import type { ReactNode } from "react"
import { stepTools as texts } from "../../../texts/automations/editorSteps.ts"
import { type Command, commands } from "./commands.ts"

const copies = (
  <svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
    <path d="M8 8h12v12H8zM4 16V4h12" />
  </svg>
)

const commandSigns = [
  ["up", "↑"],
  ["down", "↓"],
  ["in", "→"],
  ["out", "←"],
  ["duplicate", copies],
  ["remove", "✕"]
] as const satisfies ReadonlyArray<readonly [Command, ReactNode]>

export const StepTools = ({ run }: { readonly run: Partial<Record<Command, () => void>> }) => (
  <div className="step-tools" role="toolbar" aria-label={texts.thisStep}>
    {commandSigns.map(([command, sign]) => {
      const { keys, words } = commands[command]
      return (
        <button
          key={command}
          type="button"
          className="quiet small"
          aria-label={words}
          title={`${words} (${keys})`}
          onClick={() => run[command]?.()}
        >
          {sign}
        </button>
      )
    })}
  </div>
)
