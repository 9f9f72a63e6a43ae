// An automation whose owner is no longer an admin of its workspace: it does not run until somebody saves it, who becomes its owner
// (decisions A20).
import { type AnswerOf, isApiError } from "@millrace/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { ownerLost as texts } from "../../texts/automations/automations.ts"
import { Failure } from "../../ui/states.tsx"

type Automation = AnswerOf<"automations.get">["automation"]

const isOwnerLost = (error: unknown) => isApiError(error, "automation_owner_lost")

/** Queries the reasons that keep the automation from running, by its saved version. */
export const useValidity = ({ id, version }: Pick<Automation, "id" | "version">) =>
  useQuery({
    queryKey: ["validity", id, version],
    queryFn: ({ signal }) => client.automations.validate({ automation_id: id }, { signal })
  })

export const OwnerLost = ({
  automation,
  taken
}: {
  readonly automation: Automation
  readonly taken?: (automation: Automation) => void
}) => {
  const queries = useQueryClient()
  const { error } = useValidity(automation)
  const take = useMutation({
    mutationFn: async () => {
      const { filter, id, version } = automation
      const body = { filter } as never
      return (await client.automations.update({ automation_id: id, body }, { ifMatch: version })).automation
    },
    onSuccess: (saved) => taken?.(saved),
    onSettled: () =>
      Promise.all(
        [["automation", automation.id], ["automations"], ["validity", automation.id]].map((queryKey) =>
          queries.invalidateQueries({ queryKey })
        )
      )
  })
  if (!isOwnerLost(error)) return null
  return (
    <div className="note bad" role="alert">
      <p>{texts.itsOwnerIsNoSave(<strong>{texts.itsOwnerIsNoLonger}</strong>)}</p>
      <div className="buttons">
        <button type="button" disabled={take.isPending} onClick={() => take.mutate()}>
          {texts.saveAsItsOwner}
        </button>
      </div>
      {take.isError && <Failure what={texts.itWasNotSaved} error={take.error} />}
    </div>
  )
}
