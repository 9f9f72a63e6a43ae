// The organization's rule for an app (decisions O15). A rule that ends connections asks first.
import { type ReactNode, useId, useState } from "react"
import { client } from "../../api/client.ts"
import { appAccess as texts } from "../../texts/admin/connections.ts"
import { Question } from "../../ui/Question.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "./adminQueries.ts"
import {
  type Access,
  accessWords,
  CONNECTIONS,
  type ConnectedApp,
  type Mode,
  nameOf,
  noRuleWords,
  peopleWords
} from "./connectionQueries.ts"

const isAccess = (value: string): value is Access => Object.hasOwn(accessWords, value)

const questions = {
  admins: (name: string) => ({ title: texts.limitToAdminsAndOwners(name), yes: texts.limitIt }),
  blocked: (name: string) => ({ title: texts.block(name), yes: texts.blockIt })
}
type Strict = keyof typeof questions
const isStrict = (access: Access | null): access is Strict => access !== null && Object.hasOwn(questions, access)

interface AppAccessProps {
  readonly app: ConnectedApp
  readonly mode: Mode
  /** Buttons beside the choice. */
  readonly children: ReactNode
}
export const AppAccess = ({ app, mode, children }: AppAccessProps) => {
  const { access, client_id, connections } = app
  const id = useId()
  const name = nameOf(app)
  const [asked, setAsked] = useState<Strict>()
  const set = useChange(
    (to: Access | null) => client.appPolicy.setAccess({ body: { client_id, access: to } }),
    [CONNECTIONS]
  )
  const choose = (to: Access | null) => (connections > 0 && isStrict(to) ? setAsked(to) : set.mutate(to))
  return (
    <>
      <div className="inline">
        <div className="field choice">
          <label htmlFor={id}>{texts.whoMayConnect(name)}</label>
          <select
            id={id}
            value={access ?? ""}
            disabled={set.isPending}
            onChange={({ target }) => choose(isAccess(target.value) ? target.value : null)}
          >
            <option value="">{noRuleWords[mode]}</option>
            {Object.entries(accessWords).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
        {children}
      </div>
      <output className="muted">
        {set.isSuccess && set.data.ended > 0 && texts.ruleEndedTheConnections(peopleWords(set.data.ended))}
      </output>
      {set.isError && <Failure what={texts.ruleStaysAsItIs} error={set.error} />}
      {asked !== undefined && (
        <Question {...questions[asked](name)} onYes={() => set.mutate(asked)} close={() => setAsked(undefined)}>
          <p>{texts.peopleHaveConnected(peopleWords(connections), connections)}</p>
        </Question>
      )}
    </>
  )
}
