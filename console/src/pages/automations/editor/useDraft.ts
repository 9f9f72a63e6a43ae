// The definition as it is edited: what the service has, what was changed since, to be undone, kept in the browser, saved and met by somebody
// else's change.
import { type AnswerOf, isApiError } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { client } from "../../../api/client.ts"
import { readDraft } from "./keptDraft.ts"
import { changesOf, type Definition, definitionFrom, isSame } from "./model/definition.ts"
import { begun, edited, redone, settled, undone } from "./model/history.ts"
import { useKeptDraft } from "./useKeptDraft.ts"

export type Automation = AnswerOf<"automations.get">["automation"]

export const mint = () => crypto.getRandomValues(new Uint32Array(3)).reduce((text, one) => text + one.toString(36), "s")

/** @param user who edits: a draft that this person has left in the browser is gone on with */
export const useDraft = (loaded: Automation, assigned: ReadonlyArray<string>, user: number) => {
  const queries = useQueryClient()
  const read = (automation: Automation) =>
    definitionFrom(automation as unknown as Record<string, unknown>, mint, assigned)
  const [server, setServer] = useState(loaded)
  const [saved, setSaved] = useState(() => read(loaded))
  const [restored, setRestored] = useState(() => {
    const kept = readDraft(user, loaded.id, mint)
    return kept === undefined || isSame(saved, kept.definition) ? undefined : kept
  })
  /** The version that was changed: a save over a later one is a conflict. */
  const [version, setVersion] = useState(restored?.version ?? loaded.version)
  const [history, setHistory] = useState(() =>
    restored === undefined ? begun(saved) : edited(begun(saved), restored.definition)
  )
  const presentDefinition = history.present
  const dirty = useMemo(() => !isSame(saved, presentDefinition), [presentDefinition, saved])
  const isKept = useKeptDraft(user, loaded.id, version, dirty ? presentDefinition : undefined)

  const accept = (automation: Automation, sent: Definition | undefined) => {
    const kept = read(automation)
    setServer(automation)
    setVersion(automation.version)
    setRestored(undefined)
    setSaved(kept)
    setHistory((last) => (sent === undefined || last.present === sent ? settled(last, kept) : last))
    queries.setQueryData(["automation", automation.id], automation)
    void queries.invalidateQueries({ queryKey: ["automations"] })
    void queries.invalidateQueries({ queryKey: ["validity", automation.id] })
  }

  const save = useMutation({
    mutationFn: async (overVersion: number | undefined) => {
      if (!dirty) return server
      const body = changesOf(saved, presentDefinition) as never
      const ifMatch = overVersion ?? version
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
    isKept,
    restored,
    discard: () => {
      setRestored(undefined)
      setVersion(server.version)
      setHistory((last) => edited(last, saved))
    },
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
