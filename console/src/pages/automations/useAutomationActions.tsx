// Actions on automations from their table, one or several: duplicated, paused, activated, tagged, exported, deleted. What is refused is said by
// name, the others go on.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { useAutomationActions as texts } from "../../texts/automations/automations.ts"
import { errorWords } from "../../ui/errorWords.ts"
import type { Automation } from "./automationRows.ts"
import { saveAsFile } from "./ExportButton.tsx"
import { changedTags, type TagChange } from "./tags/tagChanges.ts"

type Action = "pause" | "activate" | "delete"

const requests: Readonly<Record<Action, (automation_id: number) => Promise<unknown>>> = {
  pause: (automation_id) => client.automations.pause({ automation_id }),
  activate: (automation_id) => client.automations.activate({ automation_id }),
  delete: (automation_id) => client.automations.remove({ automation_id })
}
const doneWords = texts.doneWords

interface Work {
  readonly automations: ReadonlyArray<Automation>
  readonly request: (automation_id: number) => Promise<unknown>
  readonly doneWord: string
}

interface Refusal {
  readonly automation: Automation
  readonly message: string
}

export const useAutomationActions = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => queries.invalidateQueries({ queryKey: ["automations"] })
  /** Changes the present tags: those that others have added since the table was read stay. */
  const retag = (change: TagChange) => async (automation_id: number) => {
    const { automation } = await client.automations.get({ automation_id })
    const tags = changedTags(automation.tags ?? [], change)
    await client.automations.update({ automation_id, body: { tags: [...tags] } })
    await queries.invalidateQueries({ queryKey: ["automation", automation_id] })
  }
  const change = useMutation({
    // They follow one another: a hundred at once would take the place of everything else that the person asks.
    mutationFn: async ({ automations, doneWord, request }: Work) => {
      const refusals: Array<Refusal> = []
      for (const automation of automations)
        await request(automation.id).catch((error: unknown) =>
          refusals.push({ automation, message: errorWords(error) })
        )
      return { done: `${automations.length - refusals.length} ${doneWord}`, doneWord, refusals }
    },
    onSettled: refresh
  })
  const duplicate = useMutation({
    mutationFn: (automation_id: number) => client.automations.duplicate({ automation_id, body: {} }),
    onSuccess: async ({ automation }) => {
      await refresh()
      await navigate({ to: "/automations/$automationId/edit", params: { automationId: String(automation.id) } })
    }
  })
  const exported = useMutation({
    mutationFn: async ({ id, name }: Automation) =>
      saveAsFile(name, (await client.automations.portable({ automation_id: id })).file)
  })
  const report =
    change.data === undefined ||
    (change.data.refusals.length === 0 && change.variables?.automations.length === 1) ? null : (
      <div className={`note ${change.data.refusals.length > 0 ? "bad" : ""}`} role="status">
        <p>{change.data.done}.</p>
        {change.data.refusals.map(({ automation, message }) => (
          <p key={automation.id}>
            {texts.wasNotDoneWordMessage(<strong>{automation.name}</strong>, change.data.doneWord, message)}
          </p>
        ))}
      </div>
    )
  const error = duplicate.error ?? exported.error
  return {
    /** @param then once nothing of it was refused */
    change: (action: Action, automations: ReadonlyArray<Automation>, then?: () => void) =>
      change.mutate(
        { automations, request: requests[action], doneWord: doneWords[action] },
        { onSuccess: ({ refusals }) => refusals.length === 0 && then?.() }
      ),
    tag: (tagChange: TagChange, automations: ReadonlyArray<Automation>) =>
      change.mutate({ automations, request: retag(tagChange), doneWord: doneWords.tag }),
    duplicate: (automation: Automation) => duplicate.mutate(automation.id),
    export: (automation: Automation) => exported.mutate(automation),
    isBusy: change.isPending || duplicate.isPending,
    report,
    error
  }
}
