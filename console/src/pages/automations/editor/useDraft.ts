// The definition as it is edited: what the service has, what was changed since, to be undone, saved and met by somebody else's change.
import { type AnswerOf, isApiError } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import { changesOf, type Definition, definitionFrom, isSame } from "./model/definition.ts"
import { begun, edited, redone, settled, undone } from "./model/history.ts"

export type Automation = AnswerOf<"automations.get">["automation"]

export const mint = () => crypto.getRandomValues(new Uint32Array(3)).reduce((text, one) => text + one.toString(36), "s")

export const useDraft = (loaded: Automation, assigned: ReadonlyArray<string>) => {
  const queries = useQueryClient()
  const read = (automation: Automation) =>
    definitionFrom(automation as unknown as Record<string, unknown>, mint, assigned)
  const [server, setServer] = useState(loaded)
  const [saved, setSaved] = useState(() => read(loaded))
  const [history, setHistory] = useState(() => begun(saved))
  const presentDefinition = history.present
  const dirty = !isSame(saved, presentDefinition)

  const accept = (automation: Automation, sent: Definition | undefined) => {
    const kept = read(automation)
    setServer(automation)
    setSaved(kept)
    setHistory((last) => (sent === undefined || last.present === sent ? settled(last, kept) : last))
    queries.setQueryData(["automation", automation.id], automation)
    void queries.invalidateQueries({ queryKey: ["automations"] })
    void queries.invalidateQueries({ queryKey: ["validity", automation.id] })
  }

  const save = useMutation({
    mutationFn: async (version: number | undefined) => {
      if (!dirty) return server
      const body = changesOf(saved, presentDefinition) as never
      const ifMatch = version ?? server.version
      const { automation } = await client.automations.update({ automation_id: server.id, body }, { ifMatch })
      accept(automation, presentDefinition)
      return automation
    }
  })
  const activate = useMutation({
    mutationFn: async (active: boolean) => {
      const { id } = await save.mutateAsync(undefined)
      const { automation } = await (active
        ? client.automations.activate({ automation_id: id })
        : client.automations.pause({ automation_id: id }))
      accept(automation, presentDefinition)
    }
  })

  /** Somebody else has changed it since: what they have saved, theirs to take or to write over. */
  const conflict = isApiError(save.error, "conflict_error")
  const theirs = async () => (await client.automations.get({ automation_id: server.id })).automation

  return {
    server,
    now: presentDefinition,
    dirty,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    save,
    activate,
    conflict,
    edit: (next: Definition, of?: string) => setHistory((last) => edited(last, next, of)),
    undo: () => setHistory(undone),
    redo: () => setHistory(redone),
    /** Saved as it was, by whom it now belongs to; what is edited stays. */
    taken: (automation: Automation) => accept(automation, saved),
    takeTheirs: async () => {
      accept(await theirs(), undefined)
      save.reset()
    },
    writeOver: async () => save.mutate((await theirs()).version)
  }
}
export type Draft = ReturnType<typeof useDraft>
