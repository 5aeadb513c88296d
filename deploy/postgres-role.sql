-- The blog's database and a role that owns it and may do nothing else. The image of PostgreSQL runs this once, as the
-- superuser, when the volume is new (docker-entrypoint-initdb.d).
\getenv password POSTGRES_PASSWORD
create role weir login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database weir owner weir;
revoke all on database weir from public;
-- Without a password the superuser can only log in inside this container.
alter role postgres password null;
