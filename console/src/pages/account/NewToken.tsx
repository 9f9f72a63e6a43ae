// A new personal access token: its name, what it may do, and in which workspaces and apps. Only the name can be changed later.
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useId, useState } from "react"
import { ask } from "../../api/account.ts"
import { apps } from "../../api/queries.ts"
import { newToken as texts } from "../../texts/account/tokens.ts"
import { Asked, Failure } from "../../ui/states.tsx"
import { useChange, workspaces } from "../admin/adminQueries.ts"
import { FormField } from "../admin/FormField.tsx"
import { CREDENTIALS, type Credentials, type Secret } from "./credentialQueries.ts"

const nothing = {
  name: "",
  content_selection: "all" as "all" | "selected",
  scopes: [] as ReadonlyArray<string>,
  workspace_ids: [] as ReadonlyArray<number>,
  app_ids: [] as ReadonlyArray<number>
}
type Draft = typeof nothing

interface PicksProps<A> {
  readonly legend: string
  readonly choices: ReadonlyArray<{ readonly value: A; readonly words: ReactNode }>
  readonly chosen: ReadonlyArray<A>
  readonly change: (chosen: ReadonlyArray<A>) => void
}
const Picks = <A extends string | number>({ change, choices, chosen, legend }: PicksProps<A>) => {
  const id = useId()
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="picks">
        {choices.map(({ value, words }) => (
          <div key={value} className="pick">
            <input
              type="checkbox"
              id={`${id}-${value}`}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                change(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            <label htmlFor={`${id}-${value}`}>{words}</label>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

const Places = ({ draft, set }: PartProps) => {
  const appQuery = useQuery(apps)
  return (
    <>
      <Asked query={useQuery(workspaces)} failed={texts.loadingWorkspacesFailed}>
        {({ workspaces: all }) => (
          <Picks
            legend={texts.workspacesWithAllTheirApps}
            choices={all.map(({ name, workspace_id }) => ({ value: workspace_id, words: name }))}
            chosen={draft.workspace_ids}
            change={(workspace_ids) => set({ workspace_ids })}
          />
        )}
      </Asked>
      <Asked query={appQuery} failed={texts.loadingAppsFailed}>
        {({ apps: all }) => (
          <Picks
            legend={texts.singleApps}
            choices={all.map(({ app_id, name }) => ({ value: app_id, words: name }))}
            chosen={draft.app_ids}
            change={(app_ids) => set({ app_ids })}
          />
        )}
      </Asked>
    </>
  )
}

const Content = ({ draft, most, set }: PartProps & { readonly most: number }) => {
  const id = useId()
  const words = {
    all: texts.everythingThatYouMaySee,
    selected: texts.onlyWhatYouSelectBelow(most)
  }
  return (
    <>
      <fieldset>
        <legend>{texts.content}</legend>
        {(["all", "selected"] as const).map((value) => (
          <div key={value} className="pick">
            <input
              type="radio"
              name={id}
              id={`${id}-${value}`}
              checked={draft.content_selection === value}
              onChange={() => set({ content_selection: value })}
            />
            <label htmlFor={`${id}-${value}`}>{words[value]}</label>
          </div>
        ))}
      </fieldset>
      {draft.content_selection === "selected" && <Places draft={draft} set={set} />}
    </>
  )
}

interface NewTokenProps {
  readonly known: Credentials
  readonly onCreated: (secret: string) => void
}
export const NewToken = ({ known, onCreated }: NewTokenProps) => {
  const [draft, setDraft] = useState(nothing)
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const create = useChange(
    () => ask<Secret>("/account/credentials/create", draft),
    [CREDENTIALS],
    ({ token }) => {
      onCreated(token)
      setDraft(nothing)
    }
  )
  return (
    <section className="card" aria-labelledby="new-token">
      <h2 id="new-token">{texts.newToken}</h2>
      <form
        aria-labelledby="new-token"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(undefined)
        }}
      >
        <FormField
          label={texts.name}
          value={draft.name}
          change={(name) => set({ name })}
          required
          maxLength={500}
          hint={texts.whatItIsForOnly}
        />
        <Picks
          legend={texts.permissions}
          choices={known.scopes.map(({ line, scope }) => ({
            value: scope,
            words: (
              <>
                {line} <code>{scope}</code>
              </>
            )
          }))}
          chosen={draft.scopes}
          change={(scopes) => set({ scopes })}
        />
        <Content draft={draft} set={set} most={known.most_selected} />
        {create.isError && <Failure what={texts.noTokenWasCreated} error={create.error} />}
        <button type="submit" disabled={create.isPending}>
          {texts.createToken}
        </button>
      </form>
    </section>
  )
}
