// People for whom an app is blocked alone (decisions O15): the block of one person, which ends their connection and asks first, and the lift of it.
import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { users } from "../../api/queries.ts"
import { appBlocks as texts } from "../../texts/admin/connections.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import { CONNECTIONS, type ConnectedApp, nameOf } from "./connectionQueries.ts"
import type { Member } from "./memberWords.ts"

const useBlock = (client_id: string, then?: () => void) =>
  useChange(
    (body: { readonly user_id: number; readonly blocked: boolean }) =>
      client.appPolicy.setUserBlock({ body: { client_id, ...body } }),
    [CONNECTIONS],
    then
  )

interface BlockFormProps {
  readonly app: ConnectedApp
  readonly people: ReadonlyArray<Member>
  readonly close: () => void
}
const BlockForm = ({ app, people, close }: BlockFormProps) => {
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const block = useBlock(app.client_id, close)
  const unblocked = people.filter(({ user_id }) => !app.blocked_user_ids.includes(user_id))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== undefined) block.mutate({ user_id: chosen, blocked: true })
      }}
    >
      <div className="field">
        <label htmlFor={id}>{texts.person}</label>
        <ChoiceOfMany
          id={id}
          value={chosen}
          required
          none={texts.chooseAPerson}
          choices={unblocked.map(({ email, name, user_id }) => [user_id, `${name} (${email})`])}
          onChange={setChosen}
        />
      </div>
      <p>{texts.theirConnectionEndsAtOnce}</p>
      {block.isError && <Failure what={texts.nobodyWasBlocked} error={block.error} />}
      <div className="buttons">
        <button type="submit" className="danger" disabled={chosen === undefined || block.isPending}>
          {texts.block}
        </button>
        <button type="button" className="quiet" onClick={close}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

/** Asks whom to block, and blocks them. */
export const BlockDialog = ({ app, close }: Omit<BlockFormProps, "people">) => (
  <Dialog title={texts.blockForOnePerson(nameOf(app))} close={close}>
    <Asked query={useQuery(users)} failed={texts.loadingPeopleFailed}>
      {({ users: people }) => <BlockForm app={app} people={people} close={close} />}
    </Asked>
  </Dialog>
)

export const BlockedPeople = ({ app }: { readonly app: ConnectedApp }) => {
  const people = useQuery(users).data?.users
  const unblock = useBlock(app.client_id)
  const personOf = (id: number) =>
    people?.find(({ user_id }) => user_id === id)?.name ?? (people === undefined ? "…" : texts.formerMemberNo(id))
  return (
    <>
      <ul className="plain" aria-label={texts.blockedFor(nameOf(app))}>
        {app.blocked_user_ids.map((id) => (
          <li key={id} className="person">
            <div>{texts.blockedForStrong(<strong>{personOf(id)}</strong>)}</div>
            <button
              type="button"
              className="quiet small"
              disabled={unblock.isPending}
              aria-label={texts.unblockForPerson(nameOf(app), personOf(id))}
              onClick={() => unblock.mutate({ user_id: id, blocked: false })}
            >
              {texts.unblock}
            </button>
          </li>
        ))}
      </ul>
      {unblock.isError && <Failure what={texts.blockStays} error={unblock.error} />}
    </>
  )
}
