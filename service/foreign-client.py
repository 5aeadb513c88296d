"""
The original's client: it sends a request, receives go or sorry, and sends the next.

    foreign-client.py ADDRESS CALLS [plain | json]

With LIMITER_TOKEN in the environment the connection is encrypted.
"""

import hashlib
import hmac
import os
import sys
import uuid

import zmq
from zmq.utils import z85


def encrypt(socket, token):
    def secret(name):
        return z85.encode(hmac.digest(token.encode(), name, hashlib.sha256))

    client = secret(b"weir limiter client")
    socket.curve_secretkey = client
    socket.curve_publickey = zmq.curve_public(client)
    socket.curve_serverkey = zmq.curve_public(secret(b"weir limiter server"))


def send_plain(socket):
    socket.send(b"May I?")
    return socket.recv().decode()


def send_json(socket):
    socket.send_json({"id": uuid.uuid4().hex, "verb": "consume", "policy": "demo", "key": ""})
    return "go" if socket.recv_json()["allowed"] else "sorry"


address, calls, *protocol = sys.argv[1:]
send = send_json if protocol == ["json"] else send_plain
socket = zmq.Context().socket(zmq.REQ)
if "LIMITER_TOKEN" in os.environ:
    encrypt(socket, os.environ["LIMITER_TOKEN"])
socket.connect(address)
for call in range(int(calls)):
    print(send(socket), flush=True)
