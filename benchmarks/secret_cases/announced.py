"""Where a secret stands that only its surroundings tell: settings, addresses, commands, headers, code.

Owns the templates by kind: `{v}` is where the secret goes, the shapes say of what sort it is. Templates with an even
number are for learning, those with an odd one are held out. Knows nothing of the rules.
"""
# ruff: noqa: E501 - a template a line

__all__ = ["ANNOUNCED", "PASSWORD", "TOKEN"]

PASSWORD = ("«W»", "«W»", "«M16»")
TOKEN = ("«M32»", "«H32»", "«S40»", "«M20»", "«H64»", "«bytes32»")
_URL = ("«W»", "«M16»", "«S24»")
_KEY64 = ("«bytes64»",)
_HEX64 = ("«H64»",)
Kind = tuple[tuple[str, ...], tuple[str, ...]]

_CONNECTIONS: dict[str, Kind] = {
    "postgres": (_URL, ("postgres://app:{v}@db.example.net:5432/shop", "postgresql+asyncpg://app:{v}@10.0.0.7/shop?sslmode=require", "host=db user=app password={v} dbname=shop", "DATABASE_URL=postgresql://app:{v}@localhost/shop")),
    "mysql": (_URL, ("mysql://root:{v}@db/shop", "mysql+pymysql://app:{v}@10.0.0.7:3306/shop", "jdbc:mysql://db:3306/shop?user=app&password={v}", "Server=db;Database=shop;Uid=app;Pwd={v};")),
    "mongodb": (_URL, ("mongodb://app:{v}@m1.example.net:27017/shop", "mongodb+srv://app:{v}@cluster0.example.net/?retryWrites=true")),
    "redis": (_URL, ("redis://:{v}@cache:6379/0", "rediss://default:{v}@cache.example.net:6380", "redis-cli -h cache -a {v} ping", "requirepass {v}")),
    "amqp": (_URL, ("amqp://guest:{v}@queue:5672/%2f", "amqps://app:{v}@queue.example.net/vhost", "celery -b amqp://app:{v}@queue// worker", "broker_url = 'pyamqp://app:{v}@queue//'")),
    "sql server": (_URL, ("Server=tcp:db.example.net,1433;User ID=sa;Password={v};Encrypt=True;", "jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password={v}", "mssql://sa:{v}@db/shop", "sqlcmd -S db -U sa -P {v} -Q 'select 1'")),
    "oracle": (_URL, ("jdbc:oracle:thin:app/{v}@//db:1521/ORCL", "sqlplus app/{v}@db:1521/ORCL", "oracle+cx_oracle://app:{v}@db:1521/ORCL", "User Id=app;Password={v};Data Source=db:1521/ORCL")),
    "kafka": (_URL, ('sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="{v}";', 'sasl.jaas.config=ScramLoginModule required username="x" password="{v}";', "sasl.password={v}", "ssl.keystore.password={v}")),
    "elasticsearch": (_URL, ("https://elastic:{v}@search:9200/_cat/indices", "curl -u elastic:{v} https://search:9200", "ELASTIC_PASSWORD={v}", "http_auth=('elastic', '{v}')")),
    "azure storage": (_KEY64, ("DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={v};EndpointSuffix=core.example", "AccountName=shop;AccountKey={v}", "AZURE_STORAGE_KEY={v}", "Endpoint=sb://shop.example/;SharedAccessKeyName=root;SharedAccessKey={v}")),
    "smtp and ftp": (_URL, ("smtp://mailer:{v}@smtp.example.net:587", "ftp://backup:{v}@files.example.net/", "smtps://mailer%40x:{v}@smtp.example.net", "sftp://backup:{v}@files/in")),
}  # fmt: skip

_ADDRESSES: dict[str, Kind] = {
    "url userinfo": (_URL, ("https://ann:{v}@git.example.org/ann/tool.git", "http://admin:{v}@10.0.0.1/status", "git clone https://oauth2:{v}@git.example.org/x/y.git", "proxy is http://px:{v}@proxy.example:3128")),
    "url token user": (("«M40»", "«S32»"), ("https://{v}@git.example.org/ann/tool.git", "git remote add up https://{v}@git.example.org/x", "https://{v}:x-oauth-basic@git.example.org/x.git", "pip install git+https://{v}@git.example.org/x/y")),
    "url query": (("«M32»", "«S24»", "«H40»"), ("https://api.example.org/v1/x?api_key={v}", "https://hook.example.org/in?token={v}&n=1", "GET /v1/list?a=1&access_token={v} HTTP/1.1", "https://x.example.org/f?sig={v}&se=2030", "wss://rt.example.org/?authToken={v}", "https://maps.example.org/js?key={v}&v=3")),
    "url signature": (("«H64»",), ("https://b.example.org/k?X-Amz-Date=20300101&X-Amz-Signature={v}", "https://s.example.org/k?X-Goog-Expires=60&X-Goog-Signature={v}", "https://b.example.org/k?Expires=17&Signature={v}", "https://c.example.org/f?st=2030&sig={v}")),
    "url fragment": (("«S40»", "«M32»"), ("https://app.example.org/cb#access_token={v}&token_type=bearer", "https://app.example.org/#/reset?token={v}", "https://app.example.org/cb#id_token={v}", "https://app.example.org/login#state=x&access_token={v}")),
    "totp": (("«T32»", "«T16»"), ("otpauth://totp/Shop:ann?secret={v}&issuer=Shop", "TOTP secret: {v}", "2FA seed: {v}", 'totp_secret = "{v}"', "authenticator secret is {v}", "MFA_SECRET={v}")),
    "magic link": (("«S40»",), ("https://app.example.org/reset-password?token={v}", "https://app.example.org/invite?invite_token={v}", "https://app.example.org/verify?t=1&verification_token={v}", "https://app.example.org/login?magic_token={v}")),
}  # fmt: skip

_COMMANDS: dict[str, Kind] = {
    "mysql flag": (PASSWORD, ("mysql -u root -p{v} shop", "mysqldump -h db -uroot -p{v} shop > d.sql", "mysqladmin -u root --password={v} status", "mariadb -u app -p{v} -e 'select 1'")),
    "psql": (PASSWORD, ("PGPASSWORD={v} psql -h db -U app", "PGPASSWORD='{v}' pg_dump shop", "export PGPASSWORD={v}; psql", "docker exec -e PGPASSWORD={v} pg psql -U app")),
    "long flag": (PASSWORD, ("tool login --password={v}", "tool login --password {v} --host box", "deploy --db-password '{v}'", "keytool -list -storepass {v}", "wget --user=ann --password={v} https://x.example.org/", "borg init --passphrase {v}", "htpasswd -b .htpasswd ann {v}")),
    "token flag": (TOKEN[:4], ("tool --token {v} run", "tool --api-key={v}", "helm registry login -u x --access-token {v}", "vercel deploy --token={v}", "sonar-scanner -Dsonar.token={v}", "npx tool --auth-token '{v}'")),
    "curl user": (PASSWORD, ("curl -u ann:{v} https://x.example.org/", "curl --user 'ann:{v}' https://x.example.org/", 'curl -sS -X POST -u "ann:{v}" https://x.example.org/', "curl -L --proxy-user px:{v} https://x.example.org/", "http -a ann:{v} x.example.org/api", "curl https://x.example.org/ -uann:{v}")),
    "curl header": (TOKEN[:4], ('curl -H "Authorization: Bearer {v}" https://x.example.org/', "curl -H 'X-Api-Key: {v}' https://x.example.org/", "curl --header 'PRIVATE-TOKEN: {v}' https://x.example.org/", 'curl -s -H "Authorization: token {v}" https://x.example.org/', 'curl -H "X-Auth-Token: {v}" https://x.example.org/', "curl -H 'DD-API-KEY: {v}' https://x.example.org/")),
    "docker login": (PASSWORD, ("docker login -u ann -p {v} reg.example.org", "echo {v} | docker login -u ann --password-stdin", "docker login --username ann --password {v}", "echo '{v}' | docker login ghcr.example --username ann --password-stdin", "podman login -u ann -p {v} reg.example.org", "docker run -e POSTGRES_PASSWORD={v} postgres:16")),
    "sshpass": (PASSWORD, ("sshpass -p {v} ssh ann@box", "sshpass -p '{v}' scp a box:b", "sshpass -p{v} ssh box", 'rsync -e "sshpass -p {v} ssh" a box:b')),
    "openssl and zip": (PASSWORD, ("openssl rsa -in k.pem -passin pass:{v}", "openssl enc -aes-256-cbc -k {v} -in a", "openssl pkcs12 -export -passout pass:{v} -in c", "zip -P {v} a.zip a", "unzip -P {v} a.zip", "7z x -p{v} a.7z")),
    "windows": (PASSWORD, ("net use Z: \\\\box\\share /user:ann {v}", "net user ann {v} /add", "$pw = ConvertTo-SecureString '{v}' -AsPlainText -Force", 'ConvertTo-SecureString "{v}" -AsPlainText', "cmdkey /add:box /user:ann /pass:{v}", "$env:DB_PASSWORD = '{v}'")),
    "accounts": (PASSWORD, ("echo 'ann:{v}' | chpasswd", 'echo "root:{v}" | sudo chpasswd', "echo {v} | sudo -S apt-get update", "echo '{v}' | sudo -S systemctl restart x", "ALTER USER app WITH PASSWORD '{v}';", "CREATE USER 'app'@'%' IDENTIFIED BY '{v}';", "CREATE ROLE app LOGIN PASSWORD '{v}'", "GRANT ALL ON *.* TO 'x'@'%' IDENTIFIED BY '{v}'")),
    "cloud cli": (TOKEN[:4], ("aws configure set aws_secret_access_key {v}", "az login --service-principal -u x -p {v} --tenant y", "npm config set //registry.example/:_authToken {v}", "gh secret set DEPLOY_KEY --body {v}", "az login --service-principal -u app -p {v} --tenant z", "heroku config:set API_TOKEN={v}", "kubectl create secret generic x --from-literal=token={v}", "kubectl create secret generic db --from-literal=password={v}")),
}  # fmt: skip

_HEADERS: dict[str, Kind] = {
    "bearer": (("«M32»", "«S40»", "«H40»"), ("Authorization: Bearer {v}", '"Authorization": "Bearer {v}"', "authorization: bearer {v}", "headers={{'Authorization': 'Bearer {v}'}}", "-H 'Authorization: Bearer {v}'", "proxy-authorization: Bearer {v}")),
    "basic": (("«basic»",), ("Authorization: Basic {v}", '"authorization": "Basic {v}"', "< Authorization: Basic {v}", "curl -H 'Authorization: Basic {v}' x")),
    "api header": (("«M32»", "«H32»", "«S40»"), ("X-Api-Key: {v}", '"x-api-key": "{v}"', "Ocp-Apim-Subscription-Key: {v}", "X-Auth-Token: {v}", "> X-Vault-Token: {v}", "x-functions-key: {v}", "Authorization: ApiKey {v}", "Api-Key: {v}", "X-GitLab-Token: {v}", "X-Amz-Security-Token: {v}")),
    "cookie": (("«S32»", "«M26»", "«H40»"), ("Cookie: session={v}; theme=dark", "Set-Cookie: sessionid={v}; HttpOnly; Path=/", "curl -b 'sid={v}' https://x.example.org/", "Cookie: a=1; connect.sid=s%3A{v}", "document.cookie = 'auth_token={v}'", "curl --cookie 'session={v}' https://x.example.org/")),
}  # fmt: skip

_FILES: dict[str, Kind] = {
    "dotenv": (PASSWORD, ("DB_PASSWORD={v}", 'SMTP_PASS="{v}"', "export ADMIN_PASSWORD='{v}'", "MYSQL_ROOT_PASSWORD={v}\nMYSQL_DATABASE=shop", "REDIS_PASSWORD={v}", "ADMIN_PWD={v}")),
    "dotenv token": (TOKEN, ("API_TOKEN={v}", "JWT_SECRET={v}", 'SECRET_KEY="{v}"', "export AUTH_TOKEN={v}", "STRIPE_API_KEY='{v}'", "ENCRYPTION_KEY={v}", "SESSION_SECRET={v}", 'NEXTAUTH_SECRET="{v}"', "DD_API_KEY={v}", "AWS_SECRET_ACCESS_KEY={v}")),
    "yaml": (PASSWORD, ("db:\n  user: app\n  password: {v}\n", 'smtp:\n  password: "{v}"', "  - name: DB_PASSWORD\n    value: {v}\n", '  - name: ADMIN_PASSWORD\n    value: "{v}"\n', "spring.datasource.password: {v}", "environment:\n  POSTGRES_PASSWORD: {v}\n")),
    "yaml token": (TOKEN, ("api_token: {v}", "client_secret: '{v}'", "  token: {v}\n", "  secretKey: {v}\n", "- name: API_KEY\n  value: {v}\n", "env:\n- name: AUTH_TOKEN\n  value: '{v}'\n")),
    "toml and ini": (PASSWORD, ('password = "{v}"', "[db]\npassword = {v}\n", "passwd='{v}'", "[client]\nuser=root\npassword={v}\n", "db.password={v}", "spring.datasource.password={v}")),
    "json": (PASSWORD, ('{{"user": "ann", "password": "{v}"}}', '{{"db":{{"passwd":"{v}"}}}}', '"adminPassword": "{v}",', '{{"username":"ann","pwd":"{v}","x":1}}', '{{"name": "DB_PASSWORD", "value": "{v}"}}', '{{"key":"SMTP_PASSWORD","value":"{v}"}}')),
    "json token": (TOKEN, ('{{"apiKey": "{v}"}}', '"client_secret": "{v}"', '{{"access_token":"{v}","expires_in":3600}}', '{{"refresh_token": "{v}", "scope": "x"}}', '"accessKey": "{v}"', '{{"privateKey":"{v}"}}')),
    "xml": (PASSWORD, ("<password>{v}</password>", '<add key="DbPassword" value="{v}" />', "<server><username>ann</username><password>{v}</password></server>", '<property name="password" value="{v}"/>', '<user name="ann" password="{v}"/>', '<add name="x" key="AdminPassword" value="{v}"/>')),
    "npmrc": (TOKEN[:4], ("//registry.example.org/:_authToken={v}", "_auth={v}", "//npm.example.org/:_password={v}", '//reg.example.org/:_authToken="{v}"')),
    "netrc": (PASSWORD, ("machine x.example.org login ann password {v}", "machine git.example.org\n  login ann\n  password {v}\n", "default login ann password {v}", "machine y\nlogin bob\npassword {v}")),
    "pgpass": (PASSWORD, ("db.example.net:5432:shop:app:{v}", "*:*:*:app:{v}", "localhost:5432:*:postgres:{v}", "10.0.0.7:5433:shop:app:{v}")),
    "git credentials": (TOKEN[:4], ("https://ann:{v}@github.example", "protocol=https\nhost=git.example.org\nusername=ann\npassword={v}", "http://x-access-token:{v}@git.example.org", "username=bob\npassword={v}")),
    "kubernetes": (("«bytes24»", "«bytes32»"), ("kind: Secret\ndata:\n  password: {v}\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  token: {v}\n", "kind: Secret\ntype: Opaque\ndata:\n  session: {v}\n", "kind: Secret\ndata:\n  API_KEY: {v}\n", "data:\n  DB_URL: {v}\nkind: Secret\n", "kind: Secret\nmetadata:\n  name: x\ndata:\n  a.key: {v}\n")),
    "kubeconfig": (("«bytes120»",), ("users:\n- name: a\n  user:\n    client-key-data: {v}\n", "    token: {v}", "- user:\n    client-key-data: {v}", "  user:\n    token: {v}\n")),
    "docker config": (("«basic»",), ('{{"auths": {{"reg.example.org": {{"auth": "{v}"}}}}}}', '"auth": "{v}"', '{{"auths":{{"https://index.example/v1/":{{"auth":"{v}"}}}}}}', '"reg.example.org": {{"auth": "{v}"}}')),
    "terraform": (PASSWORD, ('password = "{v}"', 'variable "db_password" {{\n  default = "{v}"\n}}', 'db_password = "{v}"', 'variable "admin_password" {{\n  type = string\n  default = "{v}"\n}}', 'master_password      = "{v}"', 'administrator_login_password = "{v}"')),
    "aws credentials": (("«B40»",), ("[default]\naws_access_key_id = x\naws_secret_access_key = {v}\n", "AWS_SECRET_ACCESS_KEY={v}", "aws_secret_access_key={v}", "secretAccessKey: '{v}'", '"SecretAccessKey": "{v}"', "SecretKey={v}")),
    "wireguard": (("«bytes32»",), ("[Interface]\nPrivateKey = {v}\n", "[Peer]\nPresharedKey = {v}\n", "PrivateKey={v}", "PresharedKey={v}")),
    "wifi": (PASSWORD, ('network={{\n  ssid="home"\n  psk="{v}"\n}}', "WIFI:T:WPA;S:home;P:{v};;", "nmcli dev wifi connect home password {v}", "wpa_passphrase={v}", "wpa_passphrase home {v}", 'psk="{v}"')),
    "ansible": (PASSWORD, ("ansible_password: {v}", "ansible_ssh_pass={v}", "ansible_become_pass: {v}", "box ansible_host=10.0.0.1 ansible_password={v}")),
}  # fmt: skip

_CODE: dict[str, Kind] = {
    "code password": (PASSWORD, ('password = "{v}"', "const dbPassword = '{v}';", 'DB_PASS: str = "{v}"', 'String password = "{v}";', 'connect(user="ann", password="{v}")', "define('DB_PASSWORD', '{v}');", 'os.environ["DB_PASSWORD"] = "{v}"', 'setPassword("{v}")', 'conn.login("ann", password="{v}")', 'driver.setPassword("{v}");', 'auth=("ann", "{v}")', 'HTTPBasicAuth("ann", "{v}")')),
    "code token": (TOKEN, ('api_key = "{v}"', "const TOKEN = '{v}'", 'client = Client(api_key="{v}")', 'let accessToken: string = "{v}";', 'private static final String SECRET = "{v}";', "SECRET_KEY = '{v}'", 'os.environ["API_KEY"] = "{v}"', 'process.env.API_TOKEN = "{v}"', 'setToken("{v}")', 'new Client({{ apiKey: "{v}" }})', '.header("X-Api-Key", "{v}")', 'req.Header.Set("X-Api-Key", "{v}")')),
    "private key hex": (_HEX64, ("private key: 0x{v}", "PRIVATE_KEY=0x{v}", "export PRIVATE_KEY={v}", 'privateKey: "0x{v}"', "the wallet's private key is 0x{v}", "--private-key 0x{v}", "(0) 0x{v} (private key)", "Private Key: {v}")),
    "seed phrase": (("«words12»", "«words24»"), ("seed phrase: {v}", "mnemonic: {v}", 'MNEMONIC="{v}"', 'mnemonic = "{v}"', "recovery phrase: {v}", "my seed phrase is {v}")),
    "recovery codes": (("«N4»-«N4»-«N4»", "«N5»-«N5»", "«D4» «D4»"), ("recovery code: {v}", "backup code {v}", "Recovery codes:\n{v}\n", "Backup codes:\n{v}\n", "my backup code is {v}", "one-time recovery code: {v}")),
}  # fmt: skip

ANNOUNCED: dict[str, Kind] = {**_CONNECTIONS, **_ADDRESSES, **_COMMANDS, **_HEADERS, **_FILES, **_CODE}
