const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Products, formats and methods spelled like identifiers, in lower case. */
const PRODUCTS = wordSet(`
activemq airbnb airpods appkit applescript appstore archunit asciidoc assemblyscript autocad autogpt bamboohr bibtex bigquery bitbucket bitlocker
bluetooth browserstack camelcase centos chatgpt circleci clickhouse clickup cloudflare cloudformation cloudfront cloudwatch cockroachdb codemirror
codepen codesandbox coffeescript commonjs coredata couchdb databricks datadog datagrip deepmind deepseek devops devsecops devtools digitalocean docusign
dotnet duckdb duckduckgo dynamodb ecmascript elasticsearch facetime figjam filemaker filevault finops freebsd freertos gitbook github githubactions
githubcopilot gitlab gitlabci gitops graphql hashicorp homeassistant homekit hubspot huggingface indexeddb influxdb intellij javafx javascript jetbrains
jquery jsdoc jsonpath junit kafkajs kotlinx lancedb langchain langgraph langsmith latex libreoffice linkedin llamaindex llmops lowercamelcase
macbook macbookair macbookpro macos mailchimp mariadb mediawiki meilisearch microvm mlops mongodb mysql neovim netbeans netbsd netsuite nextjs
nodejs nosql nuget oauth odata onedrive onenote openai openapi openbsd opencl opencv opengl openid openjdk openoffice opensearch openshift openssh
openssl openstack openstreetmap opensuse opentelemetry opentofu openvpn openwrt pagerduty pascalcase paypal phpmyadmin phpstorm phpunit
planetscale playstation plantuml pocketbase postcss posthog postgis postgresql powerbi powerpoint powershell prestashop prosemirror pycharm
pytorch quickbooks quicktime rabbitmq recaptcha rocksdb rubygems rubymine rxjs salesforce screamingsnakecase scylladb sendgrid sentinelone servicenow
sharepoint singlestore snakecase solidjs solidworks sonarqube soundcloud sourcetree springboot sqlalchemy sqlite sqlserver stackblitz
stackoverflow surrealdb swiftui tailwindcss teamcity teamviewer tensorflow testflight testng testrail textedit thinkpad tiktok timescaledb truenas tvos
typescript uikit uppercamelcase virtualbox visionos vmware vscode vuejs watchos webassembly webgl webgpu webkit weblogic webrtc websocket
websockets webstorm wechat whatsapp wireguard wordpress xcode xunit youtrack youtube yubikey zoominfo zugferd
`);

/** Last words of class names: sentences do not join them to the previous word. */
const CLASS_NOUNS = wordSet(`
Action Activity Adapter Aggregate Aggregator Allocator Analyzer Annotation Api Applier Archive Args Array Aspect Assembler Assertion
Async Atom Attribute Attributes Audit Authenticator Badge Banner Bar Batch Batcher Bean Behavior Binder Binding Block Body Boundary Box
Breaker Bridge Broker Bucket Buffer Builder Bundle Bus Button Cache Calculator Callback Canvas Card Cart Cell Chain Channel Chart Check
Checker Chunk Class Cleaner Client Clock Codec Collection Collector Column Command Comparator Compiler Component Composer Compressor Computed Config
Configuration Configurator Connection Connector Consumer Container Content Context Controller Convention Converter Coordinator Counter Creator
Crypto Cursor Dao Data Date Decimal Decoder Decorator Decrypter Default Definition Delegate Delta Dependency Deserializer Details Detector Dialog
Dictionary Diff Directive Directory Dispatcher Document Downloader Drawer Driver Dropdown Dto Element Emitter Encoder Encryptor Endpoint
Engine Entity Entry Enum Enumerator Error Evaluator Event Exception Executor Exporter Expression Extension Extensions Extractor Facade
Factory Feature Feed Fetcher Field Fields File Filter Finder Fixture Flag Flow Footer Form Format Formatter Fragment Frame Function Future
Gateway Generator Getter Grid Group Guard Handle Handler Hasher Header Heap Helper Hook Hooks Hub Icon Id Impl Importer Index Indexer Info
Initializer Injector Input Inspector Instance Int Interceptor Interface Invoker Item Items Iterator Job Key Keys Label Layer Layout Lexer
Library Limiter Line Link List Listener Loader Locator Lock Logger Loop Machine Mailer Manager Map Mapper Mapping Marker Mask Matcher
Matrix Menu Merger Message Messages Metadata Method Metric Metrics Middleware Migration Migrator Mixin Mock Modal Mode Model Module Monitor
Mutation Mutex Name Navigator Node Normalizer Notification Notifier Number Object Observable Observer Op Operation Operator Optimizer
Option Options Order Output Packet Page Pager Pagination Paginator Panel Param Parameter Parameters Params Parser Part Patch Path Pattern Payload Picker
Pipe Pipeline Plan Planner Plugin Point Pointer Policy Poller Pool Port Position Preferences Prefix Preset Presenter Printer Processor
Producer Profile Profiler Progress Promise Prop Properties Property Props Protocol Provider Proxy Publisher Query Queue Ranker Reader Receiver
Record Recorder Reducer Ref Reference Registry Relay Renderer Repo Report Reporter Repository Request Requests Reset Resolver Resource
Response Result Results Retriever Retry Role Root Route Router Routes Row Rule Rules Runner Runtime Sanitizer Scanner Schedule Scheduler Schema
Scope Screen Script Search Section Seeder Segment Select Selector Semaphore Sender Serializer Server Service Services Session Set Setter
Settings Slim Shape Sheet Sidebar Signal Sink Size Slice Slot Snapshot Socket Sorter Source Span Spec Splitter Stack State Statement
Status Step Storage Store Strategy Stream String Struct Stub Style Subscriber Subscription Suite Summary Switch Sync Synchronizer Tab Table
Tag Task Template Tester Test Tests Text Theme Thread Throttler Timeout Timer Title Toast Toggle Token Tokenizer Tool Toolbar Tooltip
Tracer Tracker Transaction Transform Transformer Translator Transport Traverser Tree Trigger Tuple Type Types Updater Uploader Uri Url User
Util Utils Uuid Validator Value Values Variable Vector Verifier View Viewer ViewModel Visitor Walker Warning Watcher Widget Window
Wizard Worker Workflow Wrapper Writer
`);

/** Keywords and names that every program has: as code they name nothing specific. */
const EVERYWHERE = wordSet(`
abstract and any array as assert async await bigint bool boolean break case catch char class const constructor continue date def default
delete do double elif else enum error eval except exception export extends false final finally float for from func function get global go goto
if implements import in infinity instanceof int integer interface is lambda let list long map match method module mut nan native new nil none not null
number object of or package pass private promise protected public raise record ref regexp rescue result return self set short sizeof some static
string struct super switch symbol table this throw throws trait true try tuple type typeof undefined union unknown unless until use using
var vec void volatile when where while with yield main
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
`);

/** Built-in objects whose members are commonly named. */
const GLOBAL_OBJECT = wordSet(`
Array Atomics BigInt Buffer Date Error Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol System
Temporal URL WeakMap WeakRef console crypto document globalThis history localStorage location navigator performance process sessionStorage
window
`);

/** Whether a name is a product, ignoring case and underscores. */
export const isProduct = (name: string): boolean => PRODUCTS.has((name.includes('_') ? name.replaceAll('_', '') : name).toLowerCase());
/** Whether a word is a typical last word of a class name. */
export const isClassNoun = (word: string): boolean => CLASS_NOUNS.has(word);
/** Whether a word is common to all programs. */
export const isCommonName = (word: string): boolean => EVERYWHERE.has(word.toLowerCase());
/** Whether a name is a built-in object. */
export const isGlobalObject = (word: string): boolean => GLOBAL_OBJECT.has(word);
