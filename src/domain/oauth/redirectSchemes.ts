// Schemes that no redirect URI may have, by the effect of opening them (decisions O5, O24). An app's own scheme passes a code to that app;
// these pass a text that a stranger wrote to something else. Registration, documents and authorization share this table.

const table: Readonly<Record<string, string>> = {
  "runs or shows content inside of the browser": `about blob cid data javascript jar livescript mhtml mid mk mocha
    res resource vbscript view-source wyciwyg`,
  "belongs to a browser": `brave chrome chrome-devtools chrome-error chrome-extension chrome-native chrome-search
    chrome-untrusted devtools edge edge-extension moz-extension moz-icon opera safari-extension safari-resource
    safari-web-extension vivaldi webkit-fake-url`,
  "opens any address in a browser": `firefox firefox-private googlechrome googlechromes ie.http ie.https microsoft-edge
    microsoft-edge-holographic opera-http opera-https touch-http touch-https x-safari-http x-safari-https x-web-search`,
  "reads files": "content file filesystem",
  // Handlers of operating systems with a history of executing the address (ms-msdt, search-ms, help, x-man-page, …).
  "starts programs of the system": `admin applescript app-prefs computer disk disks
    ghelp hcp help man mssharepointclient onenote onenote-cmd outlook prefs search search-ms shell shortcuts terminal
    windowsdefender workflow x-man-page x-terminal yelp`,
  "installs software": `apt apturl appstream appx clickonce itms itms-apps itms-appss itms-books itms-bookss itms-services
    itmss jnlp jnlps macappstore macappstores market snap`,
  "starts any program of the device": "android-app android-resource intent ios-app",
  "opens a connection of another kind": `afp amqp amqps cifs coap coaps dav davs dict dns finger fish ftp ftpes ftps git
    git+file git+http git+https git+ssh gopher hg http+unix icap imap imaps ipp ipps irc irc6 ircs jdbc ldap ldapi ldaps
    mongodb mongodb+srv mqtt mqtts mysql nats news nfs nntp nx odbc pop pop3 postgres postgresql rdp redis rediss rexec
    rlogin rsync rtmp rtmps rtsp rtspu scp sftp sip sips smb smtp smtps snews spice ssh stun stuns svn svn+ssh telnet tftp
    tn3270 turn turns udp unix vnc webdav webdavs whois ws wss x11 xmpp`,
  "calls, writes or pays": `addressbook bitcoin callto ethereum facetime facetime-audio facetime-group geo im imessage
    lightning mailto message mms mmsto monero pres skype sms smsto tel telprompt`,
  "starts a program known to run what it is sent":
    "ed2k magnet steam teamviewer8 teamviewer10 tvcontrol1 zoommtg zoomus",
  "subscribes to something": "calshow feed itpc pcast podcast webcal webcals",
  "names something and leads nowhere": "doi info isbn ni oid tag urn"
}

const whyOf: ReadonlyMap<string, string> = new Map(
  Object.entries(table).flatMap(([why, schemes]) => schemes.split(/\s+/).map((scheme) => [scheme, why] as const))
)

/** Whole families of one maker, which grow with every release of its system. */
const families: ReadonlyArray<readonly [RegExp, string]> = [
  [/^ms-/, "starts programs of the system"],
  [/^microsoft\./, "starts programs of the system"],
  [/^windows\./, "starts programs of the system"],
  [/^x-apple/, "starts programs of the system"]
]

/** Effect of opening an address of this scheme if it has no place in a sign-in, else undefined. The scheme is given in lower case. */
export const dangerOf = (scheme: string): string | undefined =>
  whyOf.get(scheme) ?? families.find(([family]) => family.test(scheme))?.[1]
