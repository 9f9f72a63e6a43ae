// The frame of the pages of one's own account.
import "../admin/admin.css"
import "./account.css"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { accountPage as texts } from "../../texts/account/account.ts"
import { Page } from "../../ui/Page.tsx"
import { SubNavigation } from "../../ui/SubNavigation.tsx"
import { type AccountPlace, accountPlaces } from "./places.ts"

interface AccountPageProps {
  readonly at: AccountPlace["to"]
  readonly children: ReactNode
}
export const AccountPage = ({ at, children }: AccountPageProps) => {
  const { about, text } = accountPlaces.find(({ to }) => to === at)!
  return (
    <Page title={text} lead={about} trail={<Link to="/account">{texts.yourAccount}</Link>}>
      <SubNavigation label={texts.account} places={accountPlaces} />
      {children}
    </Page>
  )
}
