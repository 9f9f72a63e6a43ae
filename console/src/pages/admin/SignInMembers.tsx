// Members and their second steps, found by name or address, page after page; the reset for who has lost theirs.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { ask } from "../../api/account.ts"
import { signInMembers as texts } from "../../texts/admin/members.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Search } from "../../ui/Search.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Empty, Failure, Loading } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { useTyped } from "../../ui/useTyped.ts"
import { useChange } from "./adminQueries.ts"
import { roleWords } from "./memberWords.ts"
import { SIGN_IN_POLICY, type SignInMember, signInMembers } from "./signInPolicyQueries.ts"

interface RowProps {
  readonly member: SignInMember
  readonly mayChange: boolean
}
const MemberRow = ({ member, mayChange }: RowProps) => {
  const { email, has_second_step, name, refusal, role, user_id } = member
  const reset = useChange(() => ask("/organization/sign-in/reset", { user_id }), [SIGN_IN_POLICY])
  return (
    <li className="person">
      <div>
        <strong>{name}</strong>
        <small className="muted">{email}</small>
        {has_second_step && refusal !== null && <small className="muted">{refusal}</small>}
      </div>
      <div>
        <Tag>{roleWords[role].word}</Tag>{" "}
        <Tag tone={has_second_step ? "good" : "warn"}>{has_second_step ? texts.secondStepOn : texts.passwordAlone}</Tag>
      </div>
      <div className="person-actions">
        {mayChange && has_second_step && refusal === null && (
          <Confirm
            label={texts.reset}
            about={texts.secondStepOf(name)}
            title={texts.resetTheSecondStepOf(name)}
            yes={texts.reset}
            busy={reset.isPending}
            onYes={() => reset.mutate(undefined)}
          >
            <p>{texts.theirPasskeysAuthenticatorApps}</p>
          </Confirm>
        )}
      </div>
      {reset.isError && <Failure what={texts.itWasNotReset} error={reset.error} />}
    </li>
  )
}

export const SignInMembers = ({ mayChange }: { readonly mayChange: boolean }) => {
  const id = useId()
  const [wanted, setWanted] = useState<string>()
  const [text, setText] = useTyped(wanted, setWanted)
  const [without, setWithout] = useState(false)
  const query = useInfiniteQuery({ ...signInMembers(wanted ?? "", without), placeholderData: keepPreviousData })
  const members = query.data?.pages.flatMap((page) => page.members)
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{texts.people}</h2>
      <div className="filter-bar">
        <Search label={texts.findAPerson} value={text} onChange={setText} />
        <div className="tools">
          <select
            aria-label={texts.whichPeople}
            className="short"
            value={without ? "without" : ""}
            onChange={({ target }) => setWithout(target.value === "without")}
          >
            <option value="">{texts.everybody}</option>
            <option value="without">{texts.withoutASecondStep}</option>
          </select>
        </div>
      </div>
      {query.isError && (
        <Failure what={texts.loadingPeopleFailed} error={query.error} again={() => void query.refetch()} />
      )}
      {members === undefined ? (
        !query.isError && <Loading />
      ) : members.length === 0 ? (
        <Empty title={without && text === "" ? texts.everybodyHasASecondStep : texts.nobodyIsFound} />
      ) : (
        <ul className="plain card people">
          {members.map((member) => (
            <MemberRow key={member.user_id} member={member} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {members !== undefined && (
        <ShowMore
          query={query}
          shown={members.length}
          show={texts.showMorePeople}
          failed={texts.loadingMorePeopleFailed}
        />
      )}
    </section>
  )
}
