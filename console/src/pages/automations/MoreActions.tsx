// The menu of an automation's page beside its buttons: a copy, and deletion after a question.
import { useNavigate } from "@tanstack/react-router"
import { useCallback, useState } from "react"
import { moreActions as texts } from "../../texts/automations/automations.ts"
import { Menu } from "../../ui/Menu.tsx"
import { Question } from "../../ui/Question.tsx"
import { Failure } from "../../ui/states.tsx"
import type { Automation } from "./automationRows.ts"
import { useAutomationActions } from "./useAutomationActions.tsx"

export const DeleteWords = () => <p>{texts.runsThatAreUnderWay}</p>

export const MoreActions = ({ automation }: { readonly automation: Automation }) => {
  const navigate = useNavigate()
  const { change, duplicate, error, report } = useAutomationActions()
  const [place, setPlace] = useState<{ readonly x: number; readonly y: number }>()
  const [isAsking, setAsking] = useState(false)
  const close = useCallback(() => setPlace(undefined), [])
  return (
    <>
      <button
        type="button"
        className="quiet small"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { bottom, left } = currentTarget.getBoundingClientRect()
          setPlace({ x: left, y: bottom + 4 })
        }}
      >
        {texts.more}
      </button>
      {report}
      {error !== null && <Failure what={texts.itWasNotDone} error={error} />}
      {place !== undefined && (
        <Menu
          label={texts.actionsOf(automation.name)}
          {...place}
          items={[
            { label: texts.duplicate, act: () => duplicate(automation) },
            { label: texts.delete, isDangerous: true, beginsGroup: true, act: () => setAsking(true) }
          ]}
          close={close}
        />
      )}
      {isAsking && (
        <Question
          title={texts.deleteQuestion(automation.name)}
          yes={texts.delete}
          onYes={() => change("delete", [automation], () => void navigate({ to: "/automations", search: {} }))}
          close={() => setAsking(false)}
        >
          <DeleteWords />
        </Question>
      )}
    </>
  )
}
